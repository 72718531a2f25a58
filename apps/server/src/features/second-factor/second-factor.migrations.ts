import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const secondFactorMigrations: MigrationSteps = {
  "0062-second-factor": statements(
    `CREATE TABLE totp_factors (
      user_uuid uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
      secret bytea NOT NULL,
      last_step bigint NOT NULL,
      created_at timestamptz NOT NULL,
      last_used_at timestamptz
    )`,
    `CREATE TABLE recovery_codes (
      user_uuid uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      code_hash bytea NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (user_uuid, code_hash)
    )`,
    `ALTER TABLE organizations ADD COLUMN requires_second_factor boolean NOT NULL DEFAULT false`,
  ),
};
