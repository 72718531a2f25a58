import { endedStates, type InstanceState } from "@terrarium/contract";
import type { Insertable } from "kysely";
import type { Database, Schema } from "../../database/schema.ts";

export async function insertOwnAccount(db: Database, row: Insertable<Schema["users"]>): Promise<void> {
  await db
    .insertInto("users")
    .values(row)
    // Of its uuid or of its address: whoever else adds it at this moment adds the same.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Deletes the account's devices that ended before a time, and their history: nobody is billed for them. */
export async function deleteEnded(db: Database, owner: string, before: Date): Promise<void> {
  const states: readonly InstanceState[] = endedStates;
  await db
    .deleteFrom("instances")
    .where("owner_uuid", "=", owner)
    .where("state", "in", states)
    .where("ended_at", "<", before)
    .execute();
}
