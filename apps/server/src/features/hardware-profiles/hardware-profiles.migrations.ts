import { revisionTrigger } from "../catalogue/catalogue-triggers.ts";
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
  "0027-hardware-profiles-by-organization": statements(
    `CREATE INDEX hardware_profiles_organization ON hardware_profiles (organization_uuid)`,
    // To count a profile's recipes, and to find those that become incomplete with it.
    `CREATE INDEX IF NOT EXISTS recipes_hardware_profile ON recipes (hardware_profile_uuid)`,
  ),
  "0051-parts-in-order": statements(
    `CREATE INDEX hardware_profiles_in_order ON hardware_profiles (is_official, position, name, uuid) INCLUDE (organization_uuid)`,
    `ALTER TABLE hardware_profiles ADD COLUMN revision integer NOT NULL DEFAULT 1`,
    revisionTrigger("hardware_profiles"),
  ),
};
