import { Client, escapeIdentifier, type QueryResultRow } from "pg";
import { to as copyTo } from "pg-copy-streams";
import { inReferenceOrder, type Reference } from "./reference-order.ts";

export interface CopiedTable {
  name: string;
  /** Those that are stored; generated ones are computed again. */
  columns: string[];
}

/** The next number of an identity column. */
export interface Sequence {
  name: string;
  /** As text: a bigint. */
  value: string;
  /** Whether the value was given out already. */
  called: boolean;
}

/** What a database contains at one moment, while others go on writing. */
export interface Snapshot {
  /** Each after those that it references. */
  tables: CopiedTable[];
  sequences: Sequence[];
  /** The names of the migrations that the database has run. */
  migrations: string[];
  /** The rows in PostgreSQL's text format for COPY, which all versions read; `rows` is their number, known at the end. */
  copy(table: CopiedTable): AsyncIterable<Uint8Array> & { rows(): number };
  close(): Promise<void>;
}

/** Kysely's own tables, which running the migrations fills. */
const TABLES = `SELECT relname AS name,
    ARRAY(SELECT attname::text FROM pg_attribute
      WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum) AS columns
  FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND relname NOT LIKE 'kysely\\_%'
  ORDER BY relname`;

const REFERENCES = `SELECT owner.relname AS from, target.relname AS to
  FROM pg_constraint JOIN pg_class owner ON owner.oid = conrelid JOIN pg_class target ON target.oid = confrelid
  WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`;

const SEQUENCES = `SELECT relname AS name FROM pg_class
  WHERE relkind = 'S' AND relnamespace = current_schema()::regnamespace ORDER BY relname`;

/** Timeouts that suit requests would cut off a large table; the rest makes the text of values independent of the server's settings. */
export const COPY_SETTINGS = `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0;
  SET client_encoding = 'UTF8'; SET DateStyle = 'ISO, YMD'; SET IntervalStyle = 'postgres'; SET extra_float_digits = 1;
  SET bytea_output = 'hex'`;

/**
 * Opens a snapshot on a connection of its own. It reads in one transaction (REPEATABLE READ), so the tables belong together. Until it is
 * closed, migrations that change tables wait.
 */
export async function openSnapshot(url: string): Promise<Snapshot> {
  const client = new Client({ connectionString: url, application_name: "terrarium-backup", keepAlive: true });
  // A connection that is lost fails the query that is running; without a listener, it would end the process.
  client.on("error", () => undefined);
  await client.connect();
  const rowsOf = async <Row extends QueryResultRow>(statement: string) => (await client.query<Row>(statement)).rows;
  try {
    await client.query(COPY_SETTINGS);
    const present = await rowsOf<CopiedTable>(TABLES);
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    // Before the first query, which fixes the moment: a table may not change its columns after that.
    const names = present.map(({ name }) => escapeIdentifier(name));
    if (names.length > 0) await client.query(`LOCK TABLE ${names.join()} IN ACCESS SHARE MODE`);
    const migrations = await rowsOf<{ name: string }>("SELECT name FROM kysely_migration ORDER BY name");
    const tables = inReferenceOrder(await rowsOf<CopiedTable>(TABLES), await rowsOf<Reference>(REFERENCES));
    const sequences: Sequence[] = [];
    for (const { name } of await rowsOf<{ name: string }>(SEQUENCES)) {
      const [state] = await rowsOf<Omit<Sequence, "name">>(
        `SELECT last_value::text AS value, is_called AS called FROM ${escapeIdentifier(name)}`,
      );
      if (state) sequences.push({ name, ...state });
    }
    return {
      tables,
      sequences,
      migrations: migrations.map(({ name }) => name),
      copy: (table) => {
        const stream = client.query(copyTo(`COPY ${targetOf(table)} TO STDOUT`));
        return Object.assign(stream, { rows: () => stream.rowCount });
      },
      close: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** A table and its columns, as COPY names them. */
export const targetOf = ({ name, columns }: CopiedTable): string =>
  `${escapeIdentifier(name)} (${columns.map(escapeIdentifier).join()})`;
