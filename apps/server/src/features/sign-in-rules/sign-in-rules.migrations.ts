import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const signInRuleMigrations: MigrationSteps = {
  "0073-sign-in-rules": statements(
    `ALTER TABLE organizations
      ADD COLUMN allowed_sign_ins text[],
      ADD COLUMN session_hours integer NOT NULL DEFAULT 720 CHECK (session_hours > 0),
      ADD COLUMN allowed_origins text[] NOT NULL DEFAULT '{}'`,
    `CREATE INDEX organizations_allowed_origins ON organizations USING gin (allowed_origins)`,
  ),
};
