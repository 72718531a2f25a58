import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const osImageMigrations: MigrationSteps = {
  "0001-foundation": statements(
    `CREATE TABLE os_images (
      uuid uuid PRIMARY KEY,
      name text NOT NULL,
      is_official boolean NOT NULL,
      is_beta boolean NOT NULL DEFAULT false,
      owner_uuid uuid REFERENCES users,
      organization_uuid uuid REFERENCES organizations,
      status text NOT NULL CHECK (status IN ('CREATING', 'READY', 'UPDATING', 'ERROR')),
      arch text NOT NULL CHECK (arch IN ('arm64', 'x86', 'x86_64')),
      os_version text NOT NULL,
      sdk_version integer NOT NULL,
      image_version text NOT NULL,
      form_factors text[] NOT NULL,
      runtime text NOT NULL,
      artefact text NOT NULL,
      position integer NOT NULL DEFAULT 0,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CHECK (is_official = (organization_uuid IS NULL))
    )`,
  ),
  "0020-saving": statements(
    `ALTER TABLE os_images ADD COLUMN layers jsonb NOT NULL DEFAULT '[]', ADD COLUMN previous_layers jsonb`,
  ),
};
