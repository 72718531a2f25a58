import type { Migration } from "kysely/migration";
import { apiTokenMigrations } from "../features/api-tokens/api-tokens.migrations.ts";
import { hardwareProfileMigrations } from "../features/hardware-profiles/hardware-profiles.migrations.ts";
import { instanceMigrations } from "../features/instances/instances.migrations.ts";
import { organizationMigrations } from "../features/organizations/organizations.migrations.ts";
import { osImageMigrations } from "../features/os-images/os-images.migrations.ts";
import { recipeMigrations } from "../features/recipes/recipes.migrations.ts";
import { sessionMigrations } from "../features/sessions/sessions.migrations.ts";
import { userMigrations } from "../features/users/users.migrations.ts";
import { composeMigrations } from "../platform/db/migrations.ts";
import { jobMigrations } from "../platform/jobs/job-rows.ts";
import { mailMigrations } from "../platform/mail/mail-rows.ts";
import { secretMigrations } from "../platform/secrets.ts";

/**
 * All migrations. Each module is listed after those whose tables it references. Never rename a migration or edit a released one, as
 * databases record by name which ones have run. New names sort last: `0004-what-it-does`.
 */
export const migrations: Record<string, Migration> = composeMigrations([
  organizationMigrations,
  userMigrations,
  sessionMigrations,
  apiTokenMigrations,
  hardwareProfileMigrations,
  osImageMigrations,
  recipeMigrations,
  instanceMigrations,
  secretMigrations,
  jobMigrations,
  mailMigrations,
]);
