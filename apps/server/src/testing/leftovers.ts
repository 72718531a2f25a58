import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "@terrarium/clock";
import type { Client } from "pg";
import { DirectoryBusyError } from "../platform/postgres/errors.ts";
import { startPostgres } from "../platform/postgres/start-postgres.ts";
import { TEST_DATA_ROOTS } from "./test-data-root.ts";

/** The prefix of test runs' temporary data directories. */
export const TEST_DATA_PREFIX = "terrarium-test-db-";

/** A run that is starting may have created its directory but not locked it yet. */
const MIN_AGE_MS = 10_000;

/** Stops the servers and deletes the data of runs that were killed. Directories of running ones are locked and left alone. */
export async function removeLeftoverServers(): Promise<void> {
  for (const dataDir of (await Promise.all(TEST_DATA_ROOTS.map(testDataIn))).flat()) {
    const age = await stat(dataDir).then(
      (made) => systemClock.now() - made.mtimeMs,
      () => 0,
    );
    if (age < MIN_AGE_MS) continue;
    try {
      const left = await startPostgres({ dataDir });
      await left.stop();
    } catch (error) {
      // In use, or being removed by its own run. Any other error does not matter, as the directory is deleted.
      if (error instanceof DirectoryBusyError) continue;
    }
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function testDataIn(root: string): Promise<string[]> {
  const names = await readdir(root).catch(() => []);
  return names.filter((name) => name.startsWith(TEST_DATA_PREFIX)).map((name) => join(root, name));
}

/** The first key of the advisory lock that a run holds; the second is the run's number. */
const RUN_LOCK = 774_002;

const NAME = /^terrarium_test_(\d+)_/;

/** The name of a run's database, by which leftovers are recognised. */
export function testDatabaseName(run: number, part: string): string {
  return `terrarium_test_${run}_${part}`;
}

/** Marks a run as alive while this connection is open, so that runs on other machines see it too. */
export async function markRunAlive(admin: Client, run: number): Promise<void> {
  await admin.query("SELECT pg_advisory_lock($1, $2)", [RUN_LOCK, run]);
}

/** Drops the databases of runs that have ended, and those of our own run. */
export async function dropLeftoverDatabases(admin: Client, ownRun?: number): Promise<void> {
  const { rows } = await admin.query<{ datname: string }>("SELECT datname FROM pg_database");
  for (const { datname } of rows) {
    const run = NAME.exec(datname)?.[1];
    if (run === undefined || (await isAlive(admin, Number(run), ownRun))) continue;
    await admin.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
  }
}

async function isAlive(admin: Client, run: number, ownRun: number | undefined): Promise<boolean> {
  if (run === ownRun) return false;
  const { rows } = await admin.query<{ free: boolean }>("SELECT pg_try_advisory_lock($1, $2) AS free", [RUN_LOCK, run]);
  if (rows[0]?.free) await admin.query("SELECT pg_advisory_unlock($1, $2)", [RUN_LOCK, run]);
  return !rows[0]?.free;
}
