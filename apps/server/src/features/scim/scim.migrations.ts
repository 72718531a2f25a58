import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const scimMigrations: MigrationSteps = {
  "0082-provisioning": statements(
    `CREATE TABLE directory_users (
      user_uuid uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
      user_name text NOT NULL,
      external_id text,
      changed_at timestamptz NOT NULL,
      removed_at timestamptz
    )`,
    `CREATE INDEX directory_users_name ON directory_users (lower(user_name))`,
    `CREATE INDEX directory_users_external ON directory_users (external_id)`,
    `CREATE TABLE directory_groups (
      group_uuid uuid PRIMARY KEY REFERENCES groups ON DELETE CASCADE,
      external_id text,
      changed_at timestamptz NOT NULL
    )`,
    `CREATE INDEX directory_groups_external ON directory_groups (external_id)`,
  ),
};
