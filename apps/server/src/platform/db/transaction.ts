import type { IsolationLevel, Kysely, Transaction } from "kysely";
import { isConflict, isStalePlan } from "./database-errors.ts";

const ATTEMPTS = 5;

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
      return await db.transaction().setIsolationLevel(isolation).execute(work);
    } catch (error) {
      if (attempt === ATTEMPTS || !(isConflict(error) || isStalePlan(error))) throw error;
    }
  }
}
