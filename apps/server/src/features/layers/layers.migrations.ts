import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const layerMigrations: MigrationSteps = {
  "0020-saving": statements(
    `CREATE TABLE layers (sha256 text PRIMARY KEY, size bigint NOT NULL, unused_since timestamptz)`,
    `CREATE INDEX layers_unused ON layers (unused_since)`,
  ),
};
