import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const programSignInMigrations: MigrationSteps = {
  "0130-program-sign-ins": statements(
    `CREATE TABLE program_sign_ins (
      device_code_hash bytea PRIMARY KEY,
      user_code text NOT NULL UNIQUE,
      host text NOT NULL,
      scope text NOT NULL CHECK (scope IN ('read', 'devices', 'admin')),
      address text NOT NULL,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'approved', 'refused')),
      session_uuid uuid REFERENCES sessions ON DELETE CASCADE CHECK ((session_uuid IS NULL) = (state <> 'approved')),
      polled_at timestamptz,
      interval_seconds integer NOT NULL
    )`,
    `CREATE INDEX program_sign_ins_age ON program_sign_ins (expires_at)`,
    `CREATE INDEX program_sign_ins_of_session ON program_sign_ins (session_uuid)`,
  ),
};
