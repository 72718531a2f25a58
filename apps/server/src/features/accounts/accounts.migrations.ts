import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const accountMigrations: MigrationSteps = {
  "0052-sign-ups": statements(
    `CREATE TABLE sign_ups (
      uuid uuid PRIMARY KEY,
      email text NOT NULL CHECK (email = lower(email)),
      password_hash text NOT NULL,
      organization_name text,
      zone text NOT NULL,
      tnc_accepted_at timestamptz,
      created_at timestamptz NOT NULL
    )`,
    `CREATE INDEX sign_ups_email ON sign_ups (email, created_at)`,
    `CREATE INDEX sign_ups_age ON sign_ups (created_at)`,
    `CREATE TABLE sign_up_links (
      key_hash bytea PRIMARY KEY,
      email text NOT NULL,
      sign_up_uuid uuid REFERENCES sign_ups ON DELETE SET NULL,
      expires_at timestamptz NOT NULL
    )`,
    `CREATE INDEX sign_up_links_sign_up ON sign_up_links (sign_up_uuid)`,
    `CREATE INDEX sign_up_links_age ON sign_up_links (expires_at)`,
  ),
};
