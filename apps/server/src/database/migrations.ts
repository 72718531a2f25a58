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
 * The migrations of every part, each part after those whose tables it refers to. A name is never changed and a migration that was
 * released is never edited: databases remember what ran by name. New ones come last: `0002-what-it-does`.
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
