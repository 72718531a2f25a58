import type { Database } from "../../database/schema.ts";

export interface Key {
  user_uuid: string;
  key: string;
  request_hash: Buffer;
  created_at: Date;
}

/**
 * Takes the key for this transaction. A call with the same key that runs at this moment is waited for.
 * Answers what the first call answered, or undefined when this is the first.
 */
export async function claimKey(db: Database, key: Key): Promise<object | "other request" | undefined> {
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
  return first.request_hash.equals(key.request_hash) ? (first.reply as object) : "other request";
}

export async function writeReply(db: Database, key: Key, reply: object): Promise<void> {
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
