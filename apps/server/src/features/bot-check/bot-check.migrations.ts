import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const botCheckMigrations: MigrationSteps = {
  "0053-spent-puzzles": statements(
    `CREATE TABLE spent_puzzles (signature text PRIMARY KEY, expires_at timestamptz NOT NULL)`,
    `CREATE INDEX spent_puzzles_age ON spent_puzzles (expires_at)`,
  ),
};
