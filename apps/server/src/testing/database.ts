import { randomBytes } from "node:crypto";
import { Pool } from "pg";
import { inject, onTestFinished } from "vitest";
import type { Database, Schema } from "../database/schema.ts";
import { createDatabase } from "../platform/db/database.ts";
import { testDatabaseName } from "./leftovers.ts";
import { urlOfDatabase } from "./url-of-database.ts";

export interface TestDatabase {
  db: Database;
  url: string;
  drop: () => Promise<void>;
}

const open = new Set<TestDatabase>();
let admin: Pool | undefined;

/**
 * Creates a database with the whole schema and no rows; with the official catalogue if that is wanted, with `empty` not even the schema. It is dropped at the end of the test, or at the end of the file if it was created
 * outside a test (in `beforeAll` or at the top of the file).
 */
export async function createTestDatabase({ max = 5, empty = false, hasCatalogue = false } = {}): Promise<TestDatabase> {
  const server = inject("databaseUrl");
  const run = inject("databaseRun");
  const name = testDatabaseName(run, randomBytes(5).toString("hex"));
  admin ??= new Pool({ connectionString: server, max: 4 });
  const template = empty ? "template0" : testDatabaseName(run, hasCatalogue ? "catalogue" : "template");
  await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY ${inject("cloneStrategy")}`);

  const url = urlOfDatabase(server, name);
  const db = createDatabase<Schema>(url, { max });
  const made: TestDatabase = {
    db,
    url,
    drop: async () => {
      if (!open.delete(made)) return;
      await db.destroy();
      // Code under test may still have its own connection.
      await admin?.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
  open.add(made);
  try {
    onTestFinished(() => made.drop());
  } catch {
    // Not inside a test: it is dropped at the end of the file.
  }
  return made;
}

/** Drops those that are left at the end of a file. */
export async function dropTestDatabases(): Promise<void> {
  await Promise.all([...open].map((each) => each.drop()));
  await admin?.end();
  admin = undefined;
}
