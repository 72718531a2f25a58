import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const sessionMigrations: MigrationSteps = {
  "0001-foundation": statements(
    `CREATE TABLE sessions (
      uuid uuid PRIMARY KEY,
      user_uuid uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      created_at timestamptz NOT NULL,
      ended_at timestamptz
    )`,
    `CREATE INDEX sessions_user ON sessions (user_uuid)`,
  ),
};
