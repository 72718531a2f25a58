import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "@terrarium/clock";
import type { Client } from "pg";
import { DirectoryBusyError } from "../platform/postgres/errors.ts";
import { startPostgres } from "../platform/postgres/start-postgres.ts";
import { TEST_DATA_ROOTS } from "./test-data-root.ts";

/** Temporary data directories of test runs begin with this. */
export const TEST_DATA_PREFIX = "terrarium-test-db-";

const SETTLED_AFTER_MS = 10_000;

/** Ends the servers and removes the data of runs that were killed. A run that still lives owns its directory and is left alone. */
export async function removeLeftoverServers(): Promise<void> {
  for (const dataDir of (await Promise.all(TEST_DATA_ROOTS.map(testDataIn))).flat()) {
    // A run that starts beside us may have made its directory and not own it yet.
    const age = await stat(dataDir).then(
      (made) => systemClock.now() - made.mtimeMs,
      () => 0,
    );
    if (age < SETTLED_AFTER_MS) continue;
    try {
      const left = await startPostgres({ dataDir });
      await left.stop();
    } catch (error) {
      // Alive, or being removed right now by its own run. What else is wrong with it does not matter any more.
      if (error instanceof DirectoryBusyError) continue;
    }
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function testDataIn(root: string): Promise<string[]> {
  const names = await readdir(root).catch(() => []);
  return names.filter((name) => name.startsWith(TEST_DATA_PREFIX)).map((name) => join(root, name));
}

/** First half of the advisory lock that says "this run lives"; the second is the run's number. */
const RUN_LOCK = 774_002;

const NAME = /^terrarium_test_(\d+)_/;

export function testDatabaseName(run: number, part: string): string {
  return `terrarium_test_${run}_${part}`;
}

/** Marks a run as living for as long as this connection lasts, wherever the run's machine is. */
export async function holdRun(admin: Client, run: number): Promise<void> {
  await admin.query("SELECT pg_advisory_lock($1, $2)", [RUN_LOCK, run]);
}

/** Drops the databases of runs that live no more, and those of our own `run` at its end. */
export async function dropLeftoverDatabases(admin: Client, ownRun?: number): Promise<void> {
  const { rows } = await admin.query<{ datname: string }>("SELECT datname FROM pg_database");
  for (const { datname } of rows) {
    const run = NAME.exec(datname)?.[1];
    if (run === undefined || (await lives(admin, Number(run), ownRun))) continue;
    await admin.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
  }
}

async function lives(admin: Client, run: number, ownRun: number | undefined): Promise<boolean> {
  if (run === ownRun) return false;
  const { rows } = await admin.query<{ free: boolean }>("SELECT pg_try_advisory_lock($1, $2) AS free", [RUN_LOCK, run]);
  if (rows[0]?.free) await admin.query("SELECT pg_advisory_unlock($1, $2)", [RUN_LOCK, run]);
  return !rows[0]?.free;
}
