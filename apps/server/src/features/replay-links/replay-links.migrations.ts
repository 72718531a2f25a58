import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const replayLinkMigrations: MigrationSteps = {
  "0108-replay-links": statements(
    `CREATE TABLE replay_links (
      capture_uuid uuid PRIMARY KEY REFERENCES captures ON DELETE CASCADE,
      key_hash bytea NOT NULL UNIQUE,
      expires_at timestamptz NOT NULL
    )`,
  ),
};
