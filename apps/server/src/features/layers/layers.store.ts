import { supervisedStates } from "@terrarium/contract";
import type { Layer } from "@terrarium/runtime";
import { sql } from "kysely";
import type { Database } from "../../database/schema.ts";

/** The layers that an image, its former state, or what a living device started from consists of. */
const usedLayers = sql`(
  SELECT layer ->> 'sha256' FROM os_images, jsonb_array_elements(layers || coalesce(previous_layers, '[]')) AS layer
  UNION SELECT layer ->> 'sha256' FROM instances, jsonb_array_elements(snapshot #> '{osImage,layers}') AS layer
    WHERE state = ANY(${supervisedStates}::text[]))`;

/** Bytes of the layers that an organization's images and their former states consist of, each counted once. */
export async function sizeOfLayers(db: Database, organization: string): Promise<number> {
  const { rows } = await sql<{ size: number }>`
    SELECT coalesce(sum(size), 0)::bigint AS size FROM layers WHERE sha256 IN (
      SELECT layer ->> 'sha256'
      FROM os_images, jsonb_array_elements(layers || coalesce(previous_layers, '[]')) AS layer
      WHERE organization_uuid = ${organization})`.execute(db);
  return rows[0]?.size ?? 0;
}

/** At least `sizeOfLayers`, and cheap: layers of several images are counted several times. */
export async function sizeOfImages(db: Database, organization: string): Promise<number> {
  const { rows } = await sql<{ size: number }>`
    SELECT coalesce(sum(saved_size + previous_size), 0)::bigint AS size FROM os_images
    WHERE organization_uuid = ${organization}`.execute(db);
  return rows[0]?.size ?? 0;
}

/** Says that these layers are in the store or about to be. Waits for a collection that is just deleting one of them. */
export async function upsertLayers(db: Database, layers: readonly Layer[]): Promise<void> {
  await db
    .insertInto("layers")
    .values(layers.map(({ sha256, size }) => ({ sha256, size })))
    .onConflict((conflict) => conflict.column("sha256").doUpdateSet({ unused_since: null }))
    .execute();
}

/** Those of these layers that have no row yet get one. */
export async function insertMissing(db: Database, layers: readonly Layer[]): Promise<void> {
  // Without the condition it would wait for whoever has locked one of them.
  await sql`INSERT INTO layers (sha256, size)
    SELECT * FROM unnest(${layers.map(({ sha256 }) => sha256)}::text[], ${layers.map(({ size }) => size)}::bigint[])
      AS stored (sha256, size)
    WHERE NOT EXISTS (SELECT FROM layers WHERE layers.sha256 = stored.sha256)
    ON CONFLICT DO NOTHING`.execute(db);
}

/** Marks these layers as used and locks them until the transaction ends; returns how many of them there are. */
export async function lockLayers(trx: Database, sha256s: string[]): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    UPDATE layers SET unused_since = NULL
    FROM (SELECT sha256 FROM layers WHERE sha256 = ANY(${sha256s}::text[]) ORDER BY sha256 FOR UPDATE) AS found
    WHERE layers.sha256 = found.sha256`.execute(trx);
  return Number(numAffectedRows);
}

/** Marks the layers that are unused now, and no longer those that are used again. */
export async function markUnused(db: Database, now: Date): Promise<void> {
  await sql`UPDATE layers SET unused_since = CASE WHEN sha256 IN ${usedLayers} THEN NULL ELSE ${now}::timestamptz END
    WHERE (unused_since IS NULL) <> (sha256 IN ${usedLayers})`.execute(db);
}

/** Locks some of the layers that were unused before a time until the transaction ends. */
export async function lockUnused(trx: Database, before: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ sha256: string }>`
    SELECT sha256 FROM layers WHERE unused_since < ${before}
    ORDER BY unused_since LIMIT ${limit} FOR UPDATE SKIP LOCKED`.execute(trx);
  return rows.map(({ sha256 }) => sha256);
}

/** Those of these layers that are used. */
export async function listUsed(db: Database, sha256s: string[]): Promise<string[]> {
  const { rows } = await sql<{ sha256: string }>`
    SELECT sha256 FROM unnest(${sha256s}::text[]) AS sha256 WHERE sha256 IN ${usedLayers}`.execute(db);
  return rows.map(({ sha256 }) => sha256);
}

export async function deleteLayer(db: Database, sha256: string): Promise<void> {
  await db.deleteFrom("layers").where("sha256", "=", sha256).execute();
}
