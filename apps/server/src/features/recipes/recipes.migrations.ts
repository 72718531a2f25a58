import { catalogueTriggers } from "../catalogue/catalogue-triggers.ts";
import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const recipeMigrations: MigrationSteps = {
  "0001-foundation": statements(
    `CREATE TABLE recipes (
      uuid uuid PRIMARY KEY,
      name text NOT NULL,
      description text NOT NULL DEFAULT '',
      status text NOT NULL CHECK (status IN ('CREATING', 'READY', 'UPDATING', 'ERROR')),
      is_official boolean NOT NULL,
      owner_uuid uuid REFERENCES users,
      organization_uuid uuid REFERENCES organizations,
      hardware_profile_uuid uuid REFERENCES hardware_profiles ON DELETE SET NULL,
      os_image_uuid uuid REFERENCES os_images ON DELETE SET NULL,
      position integer NOT NULL DEFAULT 0,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CHECK (is_official = (organization_uuid IS NULL))
    )`,
    `CREATE INDEX recipes_organization ON recipes (organization_uuid)`,
  ),
  "0020-saving": statements(
    `ALTER TABLE recipes ADD COLUMN previous_os_image_uuid uuid REFERENCES os_images ON DELETE SET NULL`,
  ),
  "0024-recipes-in-order": statements(
    `CREATE INDEX recipes_in_order ON recipes (is_official, position, name, uuid) INCLUDE (organization_uuid)`,
    // To count the recipes of a part, and to find those that become incomplete with it.
    `CREATE INDEX IF NOT EXISTS recipes_hardware_profile ON recipes (hardware_profile_uuid)`,
    `CREATE INDEX IF NOT EXISTS recipes_os_image ON recipes (os_image_uuid)`,
  ),
  "0036-catalogue-events": statements(
    `ALTER TABLE recipes ADD COLUMN revision integer NOT NULL DEFAULT 1`,
    ...catalogueTriggers("recipes"),
  ),
  // Before the trigger that numbers changes, by its name.
  "0051-recipes-edited": statements(
    `ALTER TABLE recipes ADD COLUMN edited_revision integer NOT NULL DEFAULT 1`,
    `ALTER TABLE recipes DISABLE TRIGGER USER`,
    `UPDATE recipes SET edited_revision = revision`,
    `ALTER TABLE recipes ENABLE TRIGGER USER`,
    `CREATE FUNCTION note_edited_revision() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      NEW.edited_revision := OLD.revision + 1;
      RETURN NEW;
    END $$`,
    `CREATE TRIGGER recipes_edited BEFORE UPDATE ON recipes FOR EACH ROW
      WHEN (to_jsonb(OLD) - ARRAY['updated_at', 'revision'] IS DISTINCT FROM to_jsonb(NEW) - ARRAY['updated_at', 'revision'])
      EXECUTE FUNCTION note_edited_revision()`,
  ),
};
