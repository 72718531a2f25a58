import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const organizationMigrations: MigrationSteps = {
  "0001-foundation": statements(
    `CREATE TABLE organizations (
      uuid uuid PRIMARY KEY,
      name text NOT NULL,
      timeout_inactivity integer NOT NULL DEFAULT 30 CHECK (timeout_inactivity >= 0),
      timeout_global integer NOT NULL DEFAULT 0 CHECK (timeout_global >= 0),
      supported_arch text[] NOT NULL DEFAULT '{arm64}',
      is_debtor boolean NOT NULL DEFAULT false,
      license_type text NOT NULL DEFAULT 'pending' CHECK (license_type IN ('metered', 'pending', 'fixed')),
      license_is_active boolean NOT NULL DEFAULT true,
      license_expires_at timestamptz,
      instances_max integer NOT NULL DEFAULT 2 CHECK (instances_max >= 0),
      zone text NOT NULL DEFAULT 'europe',
      zone_type text NOT NULL DEFAULT 'shared' CHECK (zone_type IN ('shared', 'dedicated')),
      created_at timestamptz NOT NULL
    )`,
  ),
  "0044-limits": statements(
    `ALTER TABLE organizations
      ADD COLUMN recipes_max integer NOT NULL DEFAULT 1000 CHECK (recipes_max >= 0),
      ADD COLUMN hardware_profiles_max integer NOT NULL DEFAULT 1000 CHECK (hardware_profiles_max >= 0),
      ADD COLUMN os_images_max integer NOT NULL DEFAULT 1000 CHECK (os_images_max >= 0),
      -- 50 GiB
      ADD COLUMN saved_bytes_max bigint NOT NULL DEFAULT 53687091200 CHECK (saved_bytes_max >= 0)`,
  ),
  "0072-organization-settings": statements(
    `ALTER TABLE organizations
      ADD COLUMN company_name text NOT NULL DEFAULT '',
      ADD COLUMN vat_number text NOT NULL DEFAULT '',
      ADD COLUMN additional_billing_contact_email text,
      ADD COLUMN address jsonb`,
    // A trigger, so that pages are also notified of what the operator changes.
    `CREATE FUNCTION notify_organization_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM pg_notify('organization_changed', NEW.uuid::text);
      RETURN NULL;
    END $$`,
    `CREATE TRIGGER organization_changed AFTER UPDATE ON organizations FOR EACH ROW
      WHEN (OLD IS DISTINCT FROM NEW) EXECUTE FUNCTION notify_organization_changed()`,
  ),
  // None for those that are there already, whose programs may count on it; a day for new ones.
  "0104-program-runs": statements(
    `ALTER TABLE organizations ADD COLUMN timeout_api integer NOT NULL DEFAULT 0 CHECK (timeout_api >= 0)`,
    `ALTER TABLE organizations ALTER COLUMN timeout_api SET DEFAULT 1440`,
  ),
  "0155-queue-by-default": statements(`ALTER TABLE organizations ADD COLUMN queues boolean NOT NULL DEFAULT false`),
  "0105-prices": statements(
    `ALTER TABLE organizations ADD COLUMN tax_percentage double precision CHECK (tax_percentage BETWEEN 0 AND 100)`,
  ),
};
