import { type Kysely, sql, type Transaction } from "kysely";
import { Migrator, type Migration } from "kysely/migration";
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
  let failure: unknown;
  const up =
    (step: Migration): Migration["up"] =>
    (db) =>
      step.up(db).catch((error: unknown) => Promise.reject((failure = error)));
  const watched = Object.fromEntries(Object.entries(list).map(([name, step]) => [name, { up: up(step) }]));
  return runMissing(trx, watched).catch((error: unknown) => {
    // The migrator's last query fails too, as the transaction is aborted, and hides why.
    throw failure ?? error;
  });
}

async function runMissing<Schema>(db: Kysely<Schema>, list: Record<string, Migration>): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => list } });
  await refuseNewer(db, list);
  const ran: string[] = [];
  let conflicts = 0;
  for (;;) {
    const { error, results = [] } = await migrator.migrateUp();
    if (error && !db.isTransaction && mayPass(error) && ++conflicts < ATTEMPTS) continue;
    if (error) throw error instanceof Error ? error : new Error("A migration failed", { cause: error });
    conflicts = 0;
    if (results.length === 0) return ran;
    ran.push(...results.map((result) => result.migrationName));
  }
}

async function refuseNewer<Schema>(db: Kysely<Schema>, list: Record<string, Migration>): Promise<void> {
  const { rows } = await sql<{
    present: boolean;
  }>`SELECT to_regclass('kysely_migration') IS NOT NULL AS present`.execute(db);
  if (!rows[0]?.present) return;
  const ran = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(db);
  const unknown = ran.rows.map((row) => row.name).filter((name) => !(name in list));
  if (unknown.length > 0) throw new NewerDatabaseError(unknown);
}
