import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const usageMigrations: MigrationSteps = {
  "0078-runs": statements(
    `CREATE TABLE runs (
      instance_uuid uuid NOT NULL REFERENCES instances ON DELETE CASCADE,
      revision integer NOT NULL,
      organization_uuid uuid NOT NULL,
      owner_uuid uuid NOT NULL,
      counted_for uuid NOT NULL,
      recipe_uuid uuid,
      recipe_name text,
      began_at timestamptz NOT NULL,
      ended_at timestamptz NOT NULL DEFAULT 'infinity' CHECK (ended_at >= began_at),
      continues boolean NOT NULL DEFAULT false,
      PRIMARY KEY (instance_uuid, revision)
    )`,
    // The usage of a period, and its runs in their order.
    `CREATE INDEX runs_ended ON runs (organization_uuid, ended_at)`,
    `CREATE INDEX runs_began ON runs (organization_uuid, began_at, instance_uuid, revision) INCLUDE (ended_at)`,
    // A trigger, so that a run is noted whoever moves the device, also by a server from before there was this table.
    `CREATE FUNCTION note_run() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.state = 'ONLINE' THEN
        INSERT INTO runs (instance_uuid, revision, organization_uuid, owner_uuid, counted_for, recipe_uuid, recipe_name,
            began_at, continues)
          VALUES (NEW.uuid, NEW.revision, NEW.organization_uuid, NEW.owner_uuid, coalesce(NEW.allocated_to, NEW.owner_uuid),
            NEW.recipe_uuid, (SELECT name FROM recipes WHERE uuid = NEW.recipe_uuid), NEW.updated_at, OLD.state = 'SAVING')
          ON CONFLICT DO NOTHING;
      ELSE
        -- The clock may have been set back.
        UPDATE runs SET ended_at = greatest(NEW.updated_at, began_at)
          WHERE instance_uuid = NEW.uuid AND ended_at = 'infinity';
      END IF;
      RETURN NULL;
    END $$`,
    `CREATE TRIGGER runs_noted AFTER UPDATE OF state ON instances FOR EACH ROW
      WHEN (OLD.state <> NEW.state AND 'ONLINE' IN (OLD.state, NEW.state)) EXECUTE FUNCTION note_run()`,
    // Devices stay where they are from here to the end of the migration.
    `INSERT INTO runs
      SELECT instances.uuid, came.revision, instances.organization_uuid, instances.owner_uuid,
        coalesce(allocated_to, instances.owner_uuid), recipe_uuid, recipes.name, came.at,
        greatest(came.at, CASE WHEN left_at IS NOT NULL THEN left_at WHEN state = 'ONLINE' THEN 'infinity'
          ELSE coalesce(ended_at, instances.updated_at) END),
        came.from_state = 'SAVING'
      FROM (SELECT *, lead(at) OVER (PARTITION BY instance_uuid ORDER BY revision) AS left_at FROM instance_events) AS came
        JOIN instances ON instances.uuid = instance_uuid
        LEFT JOIN recipes ON recipes.uuid = recipe_uuid
      WHERE to_state = 'ONLINE'`,
  ),
};
