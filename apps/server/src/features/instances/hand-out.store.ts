import { type Insertable, sql } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { InstanceTable } from "./instances.tables.ts";
import { insertAsked } from "./start-instance.store.ts";

/** What a device is when it is handed out, and what it must have been made of. */
export interface Taken extends Pick<
  Insertable<InstanceTable>,
  "owner_uuid" | "organization_uuid" | "allocated_to" | "name" | `timeout_${"inactivity" | "global"}`
> {
  recipe_uuid: string;
  snapshot: string;
  zone: string;
  now: Date;
}

/** Locks a device that has booted ahead of time. Those of a gateway that is to take no more are about to move: the others go first. */
export async function findWarm(
  trx: Database,
  { recipe_uuid, zone, snapshot }: Pick<Taken, "recipe_uuid" | "zone" | "snapshot">,
): Promise<string | undefined> {
  const { rows } = await sql<{ uuid: string }>`
    SELECT uuid FROM instances
    WHERE is_warm AND state = 'CREATED' AND ended_at IS NULL AND recipe_uuid = ${recipe_uuid} AND zone = ${zone}
      AND snapshot = ${snapshot}::jsonb AND lease_holder IN (SELECT id FROM gateways)
    ORDER BY lease_holder IN (SELECT id FROM draining_gateways), created_at LIMIT 1
    FOR UPDATE OF instances SKIP LOCKED`.execute(trx);
  return rows[0]?.uuid;
}

/** It is theirs, and its history begins. Its state is another's to write. */
export async function takeOver(trx: Database, uuid: string, taken: Taken): Promise<void> {
  const { now, snapshot: _, recipe_uuid: _recipe, zone: _zone, ...fields } = taken;
  const { revision } = await trx
    .updateTable("instances")
    .set({ ...fields, is_warm: false, reason: null, created_at: now, updated_at: now })
    .where("uuid", "=", uuid)
    .returning("revision")
    .executeTakeFirstOrThrow();
  await trx.deleteFrom("instance_events").where("instance_uuid", "=", uuid).execute();
  await insertAsked(trx, { uuid, revision, state: "CREATED", actor: fields.owner_uuid, at: now });
}
