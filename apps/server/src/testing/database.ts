import { randomBytes } from "node:crypto";
import { Pool } from "pg";
import { afterAll, inject, onTestFinished } from "vitest";
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
 * A database of its own with the whole schema and no rows. It is dropped when the test that asked for it ends; asked for outside of
 * a test (`beforeAll`, top of the file), when the file ends.
 */
export async function createTestDatabase({ max = 5 } = {}): Promise<TestDatabase> {
  const server = inject("databaseUrl");
  const run = inject("databaseRun");
  const name = testDatabaseName(run, randomBytes(5).toString("hex"));
  admin ??= new Pool({ connectionString: server, max: 4 });
  const template = testDatabaseName(run, "template");
  await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY ${inject("cloneStrategy")}`);

  const url = urlOfDatabase(server, name);
  const db = createDatabase<Schema>(url, { max });
  const made: TestDatabase = {
    db,
    url,
    drop: async () => {
      if (!open.delete(made)) return;
      await db.destroy();
      // A part under test may still hold a connection of its own.
      await admin?.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
  open.add(made);
  try {
    onTestFinished(() => made.drop());
  } catch {
    // Not inside a test: the end of the file drops it.
  }
  return made;
}

afterAll(async () => {
  await Promise.all([...open].map((each) => each.drop()));
  await admin?.end();
  admin = undefined;
});
