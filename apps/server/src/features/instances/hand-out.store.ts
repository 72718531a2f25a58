import { type Insertable, sql } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { InstanceTable } from "./instances.tables.ts";
import { insertAsked } from "./start-instance.store.ts";

/** What a device is when it is handed out. */
export interface Taken extends Pick<
  Insertable<InstanceTable>,
  "owner_uuid" | "organization_uuid" | "allocated_to" | "name" | `timeout_${"inactivity" | "global"}`
> {
  recipe_uuid: string;
  /** Of what it must have been made. */
  made_hash: string;
  zone: string;
  now: Date;
}

/** Locks a device that has booted ahead of time. Those of a gateway that is to take no more are about to move: the others go first. */
export async function findWarm(
  trx: Database,
  { recipe_uuid, zone, made_hash }: Pick<Taken, "recipe_uuid" | "zone" | "made_hash">,
): Promise<string | undefined> {
  const { rows } = await sql<{ uuid: string }>`
    SELECT uuid FROM instances
    WHERE is_warm AND state = 'CREATED' AND ended_at IS NULL AND recipe_uuid = ${recipe_uuid} AND zone = ${zone}
      AND made_hash = ${made_hash} AND lease_holder IN (SELECT id FROM gateways)
    ORDER BY lease_holder IN (SELECT id FROM draining_gateways), created_at LIMIT 1
    FOR UPDATE OF instances SKIP LOCKED`.execute(trx);
  return rows[0]?.uuid;
}

/** It is theirs, and its history begins. Its state is another's to write. */
export async function takeOver(trx: Database, uuid: string, taken: Taken): Promise<void> {
  const { owner_uuid, organization_uuid, allocated_to, name, timeout_inactivity, timeout_global, now } = taken;
  const owned = { owner_uuid, organization_uuid, allocated_to, name, timeout_inactivity, timeout_global };
  const { revision } = await trx
    .updateTable("instances")
    .set({ ...owned, is_warm: false, reason: null, created_at: now, updated_at: now })
    .where("uuid", "=", uuid)
    .returning("revision")
    .executeTakeFirstOrThrow();
  await trx.deleteFrom("instance_events").where("instance_uuid", "=", uuid).execute();
  await insertAsked(trx, { uuid, revision, state: "CREATED", actor: owner_uuid, at: now });
}
