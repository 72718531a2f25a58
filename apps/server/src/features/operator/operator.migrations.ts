import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const operatorMigrations: MigrationSteps = {
  "0085-servers": statements(
    `CREATE TABLE servers (
      id uuid PRIMARY KEY,
      host text NOT NULL,
      pid integer NOT NULL,
      roles text[] NOT NULL,
      version text NOT NULL,
      started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      load jsonb NOT NULL
    )`,
  ),
};
