import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const passkeyMigrations: MigrationSteps = {
  "0064-passkeys": statements(
    `CREATE TABLE passkeys (
      uuid uuid PRIMARY KEY,
      user_uuid uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      credential_id bytea NOT NULL UNIQUE,
      public_key bytea NOT NULL,
      counter bigint NOT NULL,
      transports text[] NOT NULL,
      rp_id text NOT NULL,
      is_synced boolean NOT NULL,
      name text NOT NULL,
      created_at timestamptz NOT NULL,
      last_used_at timestamptz
    )`,
    `CREATE INDEX passkeys_user ON passkeys (user_uuid)`,
    `CREATE TABLE spent_challenges (challenge text PRIMARY KEY, expires_at timestamptz NOT NULL)`,
    `CREATE INDEX spent_challenges_age ON spent_challenges (expires_at)`,
  ),
};
