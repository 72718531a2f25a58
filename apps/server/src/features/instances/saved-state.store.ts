import type { Layer } from "@terrarium/runtime";
import { sql } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { InstanceSaveColumn } from "./instances.tables.ts";
import { changeJson, INSTANCE_CHANGED } from "./move-instance.store.ts";

/** Writes how far a save is, and notifies of it. */
export async function writeProgress(
  db: Database,
  { uuid, epoch, progress, now }: { uuid: string; epoch: number; progress: number; now: Date },
): Promise<void> {
  await sql`
    WITH moved AS (
      UPDATE instances SET
        save = jsonb_set(save, '{progress}', to_jsonb(${progress}::int)), revision = revision + 1, updated_at = ${now}
      WHERE uuid = ${uuid} AND lease_epoch = ${epoch} AND state = 'SAVING'
      RETURNING *
    )
    SELECT pg_notify(${INSTANCE_CHANGED}, ${changeJson(sql.ref("moved"))}::text) FROM moved`.execute(db);
}

/** The organization of the image that a device is saved into. */
export async function findPayer(db: Database, uuid: string): Promise<string | undefined> {
  const { rows } = await sql<{ organization_uuid: string }>`
    SELECT os_images.organization_uuid FROM instances
    JOIN os_images ON os_images.uuid = (instances.save ->> 'osImageUuid')::uuid
    WHERE instances.uuid = ${uuid}`.execute(db);
  return rows[0]?.organization_uuid;
}

/** Gives a recipe and its image what was saved. What they had before is retained, so that one can go back to it. */
export async function writeSaved(
  trx: Database,
  { recipeUuid, osImageUuid }: InstanceSaveColumn,
  layers: readonly Layer[],
  now: Date,
): Promise<void> {
  // The recipe may have been deleted; the image is saved all the same.
  await sql`UPDATE recipes SET
      status = 'READY',
      os_image_uuid = ${osImageUuid},
      previous_os_image_uuid = CASE WHEN os_image_uuid <> ${osImageUuid}::uuid THEN os_image_uuid END,
      updated_at = ${now}
    WHERE uuid = ${recipeUuid}`.execute(trx);
  const { numAffectedRows } = await sql`UPDATE os_images SET
      previous_layers = CASE status WHEN 'UPDATING' THEN layers END,
      layers = ${JSON.stringify(layers)}::jsonb,
      status = 'READY',
      updated_at = ${now}
    WHERE uuid = ${osImageUuid}`.execute(trx);
  if (!numAffectedRows) throw new Error("the image that was to be saved into is gone");
}

/**
 * A save has failed: what it was to update is as before, a new recipe and its image are in ERROR, and an image that was created for an
 * existing recipe goes.
 */
export async function undoSave(
  trx: Database,
  { recipeUuid, osImageUuid, action }: InstanceSaveColumn,
  now: Date,
): Promise<void> {
  const outcome = sql`CASE status WHEN 'CREATING' THEN 'ERROR' WHEN 'UPDATING' THEN 'READY' ELSE status END`;
  await sql`UPDATE recipes SET status = ${outcome}, updated_at = ${now} WHERE uuid = ${recipeUuid}`.execute(trx);
  if (action === "update")
    await sql`DELETE FROM os_images WHERE uuid = ${osImageUuid} AND status = 'CREATING'`.execute(trx);
  await sql`UPDATE os_images SET status = ${outcome}, updated_at = ${now} WHERE uuid = ${osImageUuid}`.execute(trx);
}
