import type { Instance, InstanceState } from "@terrarium/contract";
import type { Insertable, Selectable } from "kysely";
import type { Database, Schema } from "../../database/schema.ts";
import type { InstanceTable } from "./instances.tables.ts";

export type OrganizationRow = Selectable<Schema["organizations"]>;

interface Key {
  user_uuid: string;
  key: string;
  request_hash: Buffer;
  created_at: Date;
}

/**
 * Takes the key for this transaction. A call with the same key that runs at this moment is waited for.
 * Answers what the first call answered, or undefined when this is the first.
 */
export async function claimKey(db: Database, key: Key): Promise<Instance | "other request" | undefined> {
  const claimed = await db
    .insertInto("idempotency_keys")
    .values({ ...key, reply: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning("key")
    .executeTakeFirst();
  if (claimed) return undefined;
  const first = await db
    .selectFrom("idempotency_keys")
    .select(["request_hash", "reply"])
    .where("user_uuid", "=", key.user_uuid)
    .where("key", "=", key.key)
    .executeTakeFirstOrThrow();
  return first.request_hash.equals(key.request_hash) ? (first.reply as Instance) : "other request";
}

export async function writeReply(db: Database, key: Key, reply: Instance): Promise<void> {
  await db
    .updateTable("idempotency_keys")
    .set({ reply: JSON.stringify(reply) })
    .where("user_uuid", "=", key.user_uuid)
    .where("key", "=", key.key)
    .execute();
}

export async function deleteKeysBefore(db: Database, time: Date): Promise<void> {
  await db.deleteFrom("idempotency_keys").where("created_at", "<", time).execute();
}

/** Starts of one organization take turns from here to the end of the transaction. */
export const lockOrganization = (db: Database, uuid: string): Promise<OrganizationRow | undefined> =>
  uuid === ""
    ? Promise.resolve(undefined)
    : db.selectFrom("organizations").selectAll().where("uuid", "=", uuid).forUpdate().executeTakeFirst();

export async function countRunning(
  db: Database,
  organization: string,
  states: readonly InstanceState[],
): Promise<number> {
  const { count } = await db
    .selectFrom("instances")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("organization_uuid", "=", organization)
    .where("state", "in", states)
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
  await db
    .insertInto("instance_events")
    .values({
      instance_uuid: row.uuid,
      revision: 1,
      event: "ask",
      from_state: null,
      to_state: row.state,
      actor_uuid: row.owner_uuid,
      reason: null,
      at: row.created_at,
    })
    .execute();
}
