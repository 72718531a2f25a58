import { catalogueTriggers } from "../catalogue/catalogue-triggers.ts";
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
  "0031-os-images-by-organization": statements(
    `CREATE INDEX os_images_organization ON os_images (organization_uuid)`,
    // To find the recipes that can no longer go back to an image when it is deleted.
    `CREATE INDEX recipes_previous_os_image ON recipes (previous_os_image_uuid) WHERE previous_os_image_uuid IS NOT NULL`,
  ),
  // Triggers, so that processes are also notified of changes that were made with psql, and of parts that are deleted.
  "0036-catalogue-events": statements(
    `ALTER TABLE os_images ADD COLUMN revision integer NOT NULL DEFAULT 1`,
    `CREATE FUNCTION increment_revision() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      NEW.revision := OLD.revision + 1;
      RETURN NEW;
    END $$`,
    `CREATE FUNCTION notify_catalogue_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM pg_notify('catalogue_changed', json_build_object('table', TG_TABLE_NAME, 'uuid', NEW.uuid,
        'status', NEW.status, 'revision', NEW.revision, 'organization_uuid', NEW.organization_uuid)::text);
      RETURN NULL;
    END $$`,
    ...catalogueTriggers("os_images"),
  ),
  "0051-parts-in-order": statements(
    `CREATE INDEX os_images_in_order ON os_images (is_official, position, name, uuid) INCLUDE (organization_uuid)`,
  ),
  "0045-saved-size": statements(
    `CREATE FUNCTION size_of_layers(layers jsonb) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT coalesce(sum((layer ->> 'size')::bigint), 0)::bigint FROM jsonb_array_elements(layers) AS layer
    $$`,
    `ALTER TABLE os_images
      ADD COLUMN saved_size bigint NOT NULL GENERATED ALWAYS AS (size_of_layers(layers)) STORED,
      ADD COLUMN previous_size bigint NOT NULL
        GENERATED ALWAYS AS (CASE WHEN previous_layers IS NULL THEN 0 ELSE size_of_layers(previous_layers) END) STORED`,
  ),
  // Of what is run rather than of an image: what people save of it is where it is.
  "0154-image-zones": statements(
    `CREATE TABLE image_zones (runtime text, artefact text, zones text[] NOT NULL, PRIMARY KEY (runtime, artefact))`,
  ),
  "0124-boot-times": statements(
    `ALTER TABLE os_images ADD COLUMN checksum text, ADD COLUMN boot_p50_ms integer, ADD COLUMN boot_p95_ms integer`,
  ),
};
