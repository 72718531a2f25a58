import { type IsolationLevel, type Kysely, sql, type Transaction } from "kysely";
import { isConflict, isStalePlan } from "./database-errors.ts";

const ATTEMPTS = 5;

/** What to do when a transaction of `transaction` has committed. */
const followUps = new WeakMap<object, (() => void)[]>();

/** Calls `work` when the transaction has committed, and never if it does not; at once if `db` is not in a transaction. */
export function afterCommit<Schema>(db: Kysely<Schema>, work: () => void): void {
  const waiting = followUps.get(db);
  if (waiting) waiting.push(work);
  else work();
}

/**
 * Runs `work` in a transaction, up to five times if it conflicts with another one (deadlock, serialization failure, a migration), so `work` must not
 * have effects outside the database. Inside a transaction it joins that one.
 */
export async function transaction<Schema, T>(
  db: Kysely<Schema>,
  work: (trx: Transaction<Schema>) => Promise<T>,
  isolation: IsolationLevel = "read committed",
): Promise<T> {
  if (db.isTransaction) return work(db as Transaction<Schema>);
  for (let attempt = 1; ; attempt++) {
    try {
      const waiting: (() => void)[] = [];
      const result = await db
        .transaction()
        .setIsolationLevel(isolation)
        .execute((trx) => {
          followUps.set(trx, waiting);
          return work(trx);
        });
      for (const followUp of waiting) followUp();
      return result;
    } catch (error) {
      if (attempt === ATTEMPTS || !(isConflict(error) || isStalePlan(error))) throw error;
    }
  }
}

/** Has the database give up what takes longer than `ms`, in this transaction. */
export async function limitStatements<Schema>(trx: Transaction<Schema>, ms: number): Promise<void> {
  await sql`SET LOCAL statement_timeout = ${sql.lit(ms)}`.execute(trx);
}
