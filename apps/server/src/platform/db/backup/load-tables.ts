import { Kysely, PostgresDialect, type Transaction } from "kysely";
import { Client, escapeIdentifier } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { pipeline } from "node:stream/promises";
import { columnTypes } from "../column-types.ts";
import { type CopiedTable, COPY_SETTINGS, type Sequence, targetOf } from "./snapshot.ts";

/** Fills the tables of a database, in a transaction. */
export interface Loader<Schema> {
  trx: Transaction<Schema>;
  /** True if the schema has no table at all. */
  isEmpty(): Promise<boolean>;
  /** Inserts rows in the format of `Snapshot.copy`; returns their number. */
  load(table: CopiedTable, rows: AsyncIterable<Uint8Array>): Promise<number>;
  /** Removes the rows that migrations have inserted. */
  clear(tables: readonly CopiedTable[]): Promise<void>;
  setSequence(sequence: Sequence): Promise<void>;
}

/**
 * Runs `work` in one transaction on a connection of its own: everything that it does to the database happens, or nothing, even if this
 * process is killed.
 */
export async function loadInto<Schema>(url: string, work: (loader: Loader<Schema>) => Promise<void>): Promise<void> {
  const client = new Client({
    connectionString: url,
    application_name: "terrarium-restore",
    keepAlive: true,
    types: columnTypes,
  });
  client.on("error", () => undefined);
  await client.connect();
  const pooled = Object.assign(client, { release: () => undefined });
  // A pool of this one connection, as rows are copied in the same transaction in which migrations run.
  const dialect = new PostgresDialect({ pool: { options: {}, connect: async () => pooled, end: () => client.end() } });
  const db = new Kysely<Schema>({ dialect });
  try {
    await client.query(COPY_SETTINGS);
    await db.transaction().execute((trx) => work({ trx, ...loading(client) }));
  } finally {
    await db.destroy();
  }
}

const loading = (client: Client): Omit<Loader<never>, "trx"> => ({
  async isEmpty() {
    const tables = "SELECT FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace";
    return (await client.query(`${tables} LIMIT 1`)).rowCount === 0;
  },
  async load(table, rows) {
    const stream = client.query(copyFrom(`COPY ${targetOf(table)} FROM STDIN`));
    await pipeline(rows, stream);
    return stream.rowCount;
  },
  async clear(tables) {
    if (tables.length > 0) await client.query(`TRUNCATE ${tables.map(({ name }) => escapeIdentifier(name)).join()}`);
  },
  async setSequence({ name, value, called }) {
    await client.query("SELECT setval($1::regclass, $2::bigint, $3)", [escapeIdentifier(name), value, called]);
  },
});
