import type { Database } from "../../database/schema.ts";

/** Returns false if the puzzle was spent before. */
export async function spendPuzzle(db: Database, signature: string, expires_at: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("spent_puzzles")
    .values({ signature, expires_at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export async function deletePuzzlesExpiredBy(db: Database, time: Date): Promise<void> {
  await db.deleteFrom("spent_puzzles").where("expires_at", "<=", time).execute();
}
