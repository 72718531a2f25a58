import type { Insertable, Selectable, Updateable } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { ProgramSignInTable } from "./program-sign-ins.tables.ts";

export type ProgramSignInRow = Selectable<ProgramSignInTable>;

/** Returns false if another one has the code. */
export async function insertProgramSignIn(
  db: Database,
  row: Omit<Insertable<ProgramSignInTable>, "state" | "session_uuid" | "polled_at">,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto("program_sign_ins")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** The one that a code stands for, if it waits for an answer. */
export const findPending = (db: Database, user_code: string, now: Date): Promise<ProgramSignInRow | undefined> =>
  db
    .selectFrom("program_sign_ins")
    .selectAll()
    .where("user_code", "=", user_code)
    .where("state", "=", "pending")
    .where("expires_at", ">", now)
    .executeTakeFirst();

/** Answers it; returns false if it no longer waits for that. */
export async function answerPending(
  trx: Database,
  user_code: string,
  now: Date,
  answer: Pick<ProgramSignInRow, "state" | "session_uuid">,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("program_sign_ins")
    .set(answer)
    .where("user_code", "=", user_code)
    .where("state", "=", "pending")
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The one of a program. Nobody else reads it until the transaction ends. */
export const lockProgramSignIn = (trx: Database, hash: Buffer, now: Date): Promise<ProgramSignInRow | undefined> =>
  trx
    .selectFrom("program_sign_ins")
    .selectAll()
    .where("device_code_hash", "=", hash)
    .where("expires_at", ">", now)
    .forUpdate()
    .executeTakeFirst();

export async function updateProgramSignIn(
  trx: Database,
  hash: Buffer,
  change: Updateable<ProgramSignInTable>,
): Promise<void> {
  await trx.updateTable("program_sign_ins").set(change).where("device_code_hash", "=", hash).execute();
}

export async function deleteProgramSignIn(trx: Database, hash: Buffer): Promise<void> {
  await trx.deleteFrom("program_sign_ins").where("device_code_hash", "=", hash).execute();
}

export async function deleteProgramSignInsExpiredBy(db: Database, time: Date): Promise<void> {
  await db.deleteFrom("program_sign_ins").where("expires_at", "<=", time).execute();
}
