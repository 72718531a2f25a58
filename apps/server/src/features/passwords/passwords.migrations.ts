import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const passwordMigrations: MigrationSteps = {
  "0050-password-links": statements(
    `CREATE TABLE password_links (
      key_hash bytea PRIMARY KEY,
      user_uuid uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      password_mark bytea NOT NULL,
      expires_at timestamptz NOT NULL
    )`,
    `CREATE INDEX password_links_user ON password_links (user_uuid)`,
  ),
};
