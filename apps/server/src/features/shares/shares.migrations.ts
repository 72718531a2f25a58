import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const shareMigrations: MigrationSteps = {
  "0037-shares": statements(
    `CREATE TABLE shares (
      uuid uuid PRIMARY KEY,
      recipe_uuid uuid NOT NULL UNIQUE REFERENCES recipes ON DELETE CASCADE,
      message text NOT NULL,
      shared_by uuid REFERENCES users ON DELETE SET NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    )`,
    `CREATE TABLE share_recipients (
      recipe_uuid uuid NOT NULL REFERENCES shares (recipe_uuid) ON DELETE CASCADE,
      user_uuid uuid REFERENCES users ON DELETE CASCADE,
      organization_uuid uuid REFERENCES organizations ON DELETE CASCADE,
      CHECK (num_nonnulls(user_uuid, organization_uuid) = 1)
    )`,
    // By recipient, to find what is shared with somebody; by recipe, to find whom it is shared with.
    `CREATE UNIQUE INDEX share_recipients_user ON share_recipients (user_uuid, recipe_uuid)`,
    `CREATE UNIQUE INDEX share_recipients_organization ON share_recipients (organization_uuid, recipe_uuid)`,
    `CREATE INDEX share_recipients_recipe ON share_recipients (recipe_uuid)`,
    // Changes of a recipe go to its recipients too; at its end, before they are deleted with it, they hear that it is gone.
    `CREATE OR REPLACE FUNCTION notify_catalogue_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      changed record;
      recipients text[];
    BEGIN
      IF TG_OP = 'DELETE' THEN changed := OLD; ELSE changed := NEW; END IF;
      recipients := ARRAY[coalesce(changed.organization_uuid::text, 'official')];
      IF TG_TABLE_NAME = 'recipes' AND TG_OP <> 'INSERT' THEN
        recipients := recipients || ARRAY(SELECT coalesce(user_uuid, organization_uuid)::text FROM share_recipients
          WHERE recipe_uuid = changed.uuid);
      END IF;
      PERFORM pg_notify('catalogue_changed', json_build_object('table', TG_TABLE_NAME, 'uuid', changed.uuid,
        'status', changed.status, 'revision', changed.revision + (TG_OP = 'DELETE')::integer,
        'recipients', recipients, 'is_gone', TG_OP = 'DELETE')::text);
      RETURN changed;
    END $$`,
    `CREATE TRIGGER recipes_deleted BEFORE DELETE ON recipes FOR EACH ROW EXECUTE FUNCTION notify_catalogue_changed()`,
  ),
  "0051-recipes-gone": statements(
    // A notification may be missed, and no other table shows who could use a recipe before.
    `CREATE TABLE recipes_gone (at timestamptz NOT NULL, change jsonb NOT NULL)`,
    `CREATE INDEX recipes_gone_at ON recipes_gone (at)`,
    `CREATE OR REPLACE FUNCTION notify_catalogue_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      changed record;
      recipients text[];
      change json;
    BEGIN
      IF TG_OP = 'DELETE' THEN changed := OLD; ELSE changed := NEW; END IF;
      recipients := ARRAY[coalesce(changed.organization_uuid::text, 'official')];
      IF TG_TABLE_NAME = 'recipes' AND TG_OP <> 'INSERT' THEN
        recipients := recipients || ARRAY(SELECT coalesce(user_uuid, organization_uuid)::text FROM share_recipients
          WHERE recipe_uuid = changed.uuid);
      END IF;
      change := json_build_object('table', TG_TABLE_NAME, 'uuid', changed.uuid, 'status', changed.status,
        'revision', changed.revision + (TG_OP = 'DELETE')::integer, 'recipients', recipients, 'is_gone', TG_OP = 'DELETE');
      PERFORM pg_notify('catalogue_changed', change::text);
      IF TG_OP = 'DELETE' THEN INSERT INTO recipes_gone VALUES (now(), change); END IF;
      RETURN changed;
    END $$`,
  ),
};
