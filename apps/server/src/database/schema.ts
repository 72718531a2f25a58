import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import { basename } from "node:path";
import { clockMigrations } from "../platform/clock-shift.ts";
import { composeMigrations, type MigrationSteps } from "../platform/db/migrations.ts";
import { jobMigrations } from "../platform/jobs/job-rows.ts";
import { mailMigrations } from "../platform/mail/mail-rows.ts";
import { attemptMigrations } from "../platform/rate-limits/database-rate-limiter.ts";
import { secretMigrations } from "../platform/secrets.ts";
import { featureModules } from "./feature-modules.ts";

/** All tables by name. Each feature adds its own here, in its `<noun>.tables.ts`. */
export interface Schema {}

/** The service's database, or a transaction in it. */
export type Database = Kysely<Schema>;

/** The modules that have steps of the same name, in the order in which these run: a module is after those whose tables it references. */
export const inOrder: readonly string[] = [
  "organizations",
  "users",
  "sessions",
  "api-tokens",
  "provisioning",
  "scim",
  "hardware-profiles",
  "os-images",
  "recipes",
  "instances",
  "layers",
  "audit",
  "billing",
  "budgets",
];
const rankOf = (file: string): number => {
  const rank = inOrder.indexOf(basename(file, ".migrations.ts"));
  return rank < 0 ? inOrder.length : rank;
};

/** The steps of each feature, from its `<noun>.migrations.ts`. */
async function stepsOfFeatures(): Promise<MigrationSteps[]> {
  const modules = await featureModules<Record<string, MigrationSteps>>(
    "*.migrations.ts",
    (one, other) => rankOf(one) - rankOf(other),
  );
  return modules.flatMap((steps) => Object.values(steps));
}

/**
 * All migrations, those of features first. Never rename a migration or edit a released one, as databases record by name which ones have
 * run. New names sort last: `0004-what-it-does`.
 */
export const migrations: Record<string, Migration> = composeMigrations([
  ...(await stepsOfFeatures()),
  secretMigrations,
  attemptMigrations,
  jobMigrations,
  mailMigrations,
  clockMigrations,
]);
