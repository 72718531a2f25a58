import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const userMigrations: MigrationSteps = {
  "0001-foundation": statements(
    `CREATE TABLE users (
      uuid uuid PRIMARY KEY,
      email text NOT NULL UNIQUE CHECK (email = lower(email)),
      first_name text NOT NULL DEFAULT '',
      last_name text NOT NULL DEFAULT '',
      password_hash text,
      organization_uuid uuid REFERENCES organizations,
      is_organization_manager boolean NOT NULL DEFAULT false,
      is_enabled boolean NOT NULL DEFAULT true,
      is_validated boolean NOT NULL DEFAULT false,
      tnc_accepted_at timestamptz,
      front_preferences jsonb NOT NULL DEFAULT '{}',
      created_at timestamptz NOT NULL,
      CHECK (organization_uuid IS NOT NULL OR NOT is_organization_manager)
    )`,
    `CREATE INDEX users_organization ON users (organization_uuid)`,
  ),
  "0019-disabled-with-demo": statements(
    `ALTER TABLE users ADD COLUMN disabled_with_demo boolean NOT NULL DEFAULT false`,
    // Until now the audit log alone told who had disabled an account.
    `UPDATE users SET disabled_with_demo = true WHERE NOT is_enabled AND 'service' = (
      SELECT actor_kind FROM audit_records WHERE subject_uuid = users.uuid AND action IN ('user.enable', 'user.disable')
      ORDER BY id DESC LIMIT 1)`,
  ),
};
