import type { InstanceState } from "@terrarium/contract";
import type { Insertable } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { InstanceTable } from "./instances.tables.ts";
import { runs } from "./waits.store.ts";

export { findImageZones, findLayers } from "../os-images/os-images.store.ts";

/** How many devices count against an organization's limit. */
export async function countRunning(db: Database, organization: string): Promise<number> {
  const { count } = await db
    .selectFrom("instances")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("organization_uuid", "=", organization)
    .where(runs)
    .executeTakeFirstOrThrow();
  return count;
}

export async function takenNames(db: Database, owner: string, states: readonly InstanceState[]): Promise<string[]> {
  const rows = await db
    .selectFrom("instances")
    .select("name")
    .where("owner_uuid", "=", owner)
    .where("state", "in", states)
    .execute();
  return rows.map(({ name }) => name);
}

/** The first row of a device and of its history. */
export async function insertInstance(db: Database, row: Insertable<InstanceTable>): Promise<void> {
  await db.insertInto("instances").values(row).execute();
  const { uuid, state, owner_uuid: actor, created_at: at } = row;
  await insertAsked(db, { uuid, revision: 1, state, actor, at });
}

/** The first row of a device's history. */
export async function insertAsked(
  db: Database,
  {
    uuid,
    revision,
    state,
    actor,
    at,
  }: { uuid: string; revision: number; state: InstanceState; actor: string; at: Date },
): Promise<void> {
  await db
    .insertInto("instance_events")
    .values({
      instance_uuid: uuid,
      revision,
      event: "ask",
      from_state: null,
      to_state: state,
      actor_uuid: actor,
      reason: null,
      at,
    })
    .execute();
}
