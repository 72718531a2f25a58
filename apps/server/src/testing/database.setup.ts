import { TestClock } from "@terrarium/clock";
import { randomInt } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { migrations, type Schema } from "../database/schema.ts";
import { loadCatalogue, officialCatalogue, readCatalogue } from "../features/catalogue/catalogue.ts";
import { Cleanup } from "../platform/clean-up.ts";
import { createDatabase } from "../platform/db/database.ts";
import { migrate } from "../platform/db/migrate.ts";
import { startPostgres } from "../platform/postgres/start-postgres.ts";
import {
  dropLeftoverDatabases,
  markRunAlive,
  removeLeftoverServers,
  TEST_DATA_PREFIX,
  testDatabaseName,
} from "./leftovers.ts";
import { testDataRoot } from "./test-data-root.ts";
import { urlOfDatabase } from "./url-of-database.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The server of this run, with the name of a database that tests do not use. */
    databaseUrl: string;
    /** A random number of this run, which is part of its databases' names. */
    databaseRun: number;
    /** How to clone a database: FILE_COPY is fastest if nothing is flushed to disk. */
    cloneStrategy: "FILE_COPY" | "WAL_LOG";
  }
}

/**
 * Global setup of the `db` tests: a template database with the schema, which each test clones, on a server that is either DATABASE_URL
 * (whose account must be allowed to create databases) or an embedded one for the duration of the run.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cleanup = new Cleanup();
  try {
    const url = process.env.DATABASE_URL || (await startTestServer(cleanup));
    const admin = new Client({ connectionString: url });
    await admin.connect();
    cleanup.add(() => admin.end());
    if (!process.env.DATABASE_URL) await weakenPassword(admin);
    await dropLeftoverDatabases(admin);

    const run = randomInt(2 ** 31);
    await markRunAlive(admin, run);
    cleanup.add(() => dropLeftoverDatabases(admin, run));

    const template = testDatabaseName(run, "template");
    await admin.query(`CREATE DATABASE ${template}`);
    const db = createDatabase(urlOfDatabase(url, template));
    cleanup.add(() => db.destroy());
    await migrate(db, migrations);
    // A database with connections cannot be cloned.
    await db.destroy();
    await addCatalogue(admin, url, { template, name: testDatabaseName(run, "catalogue") });

    project.provide("databaseUrl", url);
    project.provide("databaseRun", run);
    project.provide("cloneStrategy", process.env.DATABASE_URL ? "WAL_LOG" : "FILE_COPY");
    return () => cleanup.run();
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}

/** A second template: to read the catalogue takes longer than most tests. */
async function addCatalogue(admin: Client, url: string, { template, name }: Record<"template" | "name", string>) {
  await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  const db = createDatabase<Schema>(urlOfDatabase(url, name));
  try {
    await loadCatalogue(db, new TestClock(), [await readCatalogue(officialCatalogue)]);
  } finally {
    await db.destroy();
  }
}

/** Settings for data that need not survive the run, and for many small databases at once. */
const TEST_SETTINGS = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: "0",
  autovacuum: "off",
  shared_buffers: "32MB",
  max_connections: "400",
  deadlock_timeout: "50ms",
};

/** Each connection hashes the password 4,096 times, and tests open thousands. */
async function weakenPassword(admin: Client) {
  await admin.query("SET scram_iterations = 1");
  await admin.query(`ALTER ROLE CURRENT_USER PASSWORD ${admin.escapeLiteral(admin.password ?? "")}`);
}

async function startTestServer(cleanup: Cleanup): Promise<string> {
  await removeLeftoverServers();
  const dataDir = await mkdtemp(join(await testDataRoot(), TEST_DATA_PREFIX));
  cleanup.add(() => rm(dataDir, { recursive: true, force: true }));
  // The database's account needs access.
  await chmod(dataDir, 0o755);
  const server = await startPostgres({
    dataDir,
    settings: TEST_SETTINGS,
  });
  cleanup.add(() => server.stop());
  return server.url;
}
