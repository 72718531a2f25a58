import { type Kysely, sql, type Transaction } from "kysely";
import type { Migration } from "kysely/migration";
import { isConflict, isLockTimeout } from "./database-errors.ts";

/** The key of the advisory lock; any number that nothing else uses. */
const LOCK = 4_703_101_862;

/** Of a migration that meets a server which is at work: each takes the locks of some tables, in the order in which it changes them. */
const ATTEMPTS = 10;
const mayPass = (error: unknown): boolean => isConflict(error) || isLockTimeout(error);

/** The database has migrations that this version does not know. */
export class NewerDatabaseError extends Error {
  override name = "NewerDatabaseError";

  constructor(unknown: string[]) {
    super(
      `This database was migrated by a newer version of Terrarium (it has ${unknown.join(", ")}). Nothing was changed; run that version or a later one.`,
    );
  }
}

/**
 * Runs the migrations that are missing, and returns their names. Several servers may call this concurrently: one runs them, while the
 * others wait and then find nothing to do. Each migration is recorded in its own transaction, so an interrupted run can be continued, and
 * one that was in a deadlock with a server at work, or got no lock in time, is tried again.
 * @throws NewerDatabaseError before anything is changed; else the error of the migration that failed
 */
export async function migrate<Schema>(db: Kysely<Schema>, list: Record<string, Migration>): Promise<string[]> {
  return db.connection().execute(async (connection) => {
    // Waiting for another server or changing a large table may take longer than other queries.
    await sql`SET statement_timeout = 0`.execute(connection);
    await sql`SELECT pg_advisory_lock(${sql.lit(LOCK)})`.execute(connection);
    const unlock = async () => {
      await sql`SELECT pg_advisory_unlock(${sql.lit(LOCK)})`.execute(connection);
      await sql`RESET statement_timeout`.execute(connection);
    };
    try {
      const ran = await runMissing(connection, list);
      await unlock();
      return ran;
    } catch (error) {
      // If the connection was lost, so was the lock. The first error is the one to report.
      await unlock().catch(() => undefined);
      throw error;
    }
  });
}

/** Makes servers that start wait, before they look at the database, until the transaction ends. */
export async function lockMigrations<Schema>(trx: Transaction<Schema>): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(trx);
}

/** Like `migrate`, but as a part of a transaction that holds the lock: all of them run, or none. */
export async function migrateWithin<Schema>(
  trx: Transaction<Schema>,
  list: Record<string, Migration>,
): Promise<string[]> {
  return runMissing(trx, list);
}

/** As Kysely's migrator does, which describes all tables to itself before each step: that is most of the time of a first start. */
async function runMissing<Schema>(db: Kysely<Schema>, list: Record<string, Migration>): Promise<string[]> {
  const done = await stepsIn(db);
  const names = Object.keys(list).toSorted();
  const unknown = done.filter((name) => !(name in list));
  if (unknown.length > 0) throw new NewerDatabaseError(unknown);
  const missing = names.slice(done.length);
  const early = names.find((name, index) => index < done.length && name !== done[index]);
  if (early !== undefined) throw new Error(`The migration ${early} is missing, and later ones have run.`);
  for (const name of missing) await runStep(db, name, list[name]!);
  return missing;
}

/** The names of those that have run, in their order. */
async function stepsIn<Schema>(db: Kysely<Schema>): Promise<string[]> {
  const { rows: found } = await sql<{
    present: boolean;
  }>`SELECT to_regclass('kysely_migration') IS NOT NULL AS present`.execute(db);
  if (!found[0]?.present)
    await sql`CREATE TABLE kysely_migration (name varchar(255) PRIMARY KEY, timestamp varchar(255) NOT NULL)`.execute(
      db,
    );
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(db);
  return rows.map(({ name }) => name).toSorted();
}

async function runStep<Schema>(db: Kysely<Schema>, name: string, step: Migration): Promise<void> {
  const run = async (trx: Kysely<Schema>) => {
    await step.up(trx);
    await sql`INSERT INTO kysely_migration VALUES (${name},
      to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))`.execute(trx);
  };
  if (db.isTransaction) return run(db);
  for (let attempt = 1; ; attempt++)
    try {
      return await db.transaction().execute(run);
    } catch (error) {
      if (!mayPass(error) || attempt === ATTEMPTS) throw error;
    }
}
