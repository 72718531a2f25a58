import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const hardwareProfileMigrations: MigrationSteps = {
  "0001-foundation": statements(
    `CREATE TABLE hardware_profiles (
      uuid uuid PRIMARY KEY,
      name text NOT NULL,
      is_official boolean NOT NULL,
      owner_uuid uuid REFERENCES users,
      organization_uuid uuid REFERENCES organizations,
      form_factor text NOT NULL CHECK (form_factor IN ('PHONE', 'TABLET', 'CAR', 'WATCH', 'TV')),
      display_mode text NOT NULL CHECK (display_mode IN ('REGULAR', 'FOLDABLE', 'MULTI_DISPLAY')),
      displays jsonb NOT NULL,
      hw_navigation_keys boolean NOT NULL,
      properties jsonb NOT NULL,
      cpu_count integer NOT NULL,
      ram_size integer NOT NULL,
      data_disk_size integer NOT NULL,
      position integer NOT NULL DEFAULT 0,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CHECK (is_official = (organization_uuid IS NULL))
    )`,
  ),
};
