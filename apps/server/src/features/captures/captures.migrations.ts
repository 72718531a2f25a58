import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const captureMigrations: MigrationSteps = {
  "0107-captures": statements(
    `CREATE TABLE captures (
      uuid uuid PRIMARY KEY,
      organization_uuid uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
      user_uuid uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      instance_uuid uuid NOT NULL,
      instance_name text NOT NULL,
      kind text NOT NULL CHECK (kind IN ('screenshot', 'recording', 'replay')),
      media_type text NOT NULL,
      bytes bigint NOT NULL,
      duration_ms integer,
      width integer NOT NULL DEFAULT 0,
      height integer NOT NULL DEFAULT 0,
      is_whole boolean NOT NULL DEFAULT false,
      created_at timestamptz NOT NULL
    )`,
    `CREATE INDEX captures_user ON captures (user_uuid, created_at DESC, uuid DESC)`,
    // The sum of an organization is read from the index alone.
    `CREATE INDEX captures_organization ON captures (organization_uuid) INCLUDE (bytes)`,
    `CREATE INDEX captures_unfinished ON captures (created_at) WHERE NOT is_whole`,
  ),
  // So is a person's share of it.
  "0112-captures-by-person": statements(
    `DROP INDEX captures_organization`,
    `CREATE INDEX captures_organization ON captures (organization_uuid) INCLUDE (user_uuid, bytes)`,
  ),
};
