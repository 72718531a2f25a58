import { Kysely, PostgresDialect } from "kysely";
import { Pool, types, type CustomTypesConfig } from "pg";
import { PreparedClient } from "./prepared-client.ts";

export interface DatabaseOptions {
  /** Connections at most; a query that finds all of them taken waits. */
  max?: number;
  /** Shown in `pg_stat_activity`. */
  applicationName?: string;
  /** A statement that runs longer is cancelled by the database. */
  statementTimeoutMs?: number;
  /** A transaction that does nothing for longer is ended, so that a stuck process holds no row locked. */
  idleInTransactionTimeoutMs?: number;
  /** How long a query waits for a connection before it fails. */
  connectTimeoutMs?: number;
  /** Told when a connection that nobody uses breaks. The pool replaces it by itself; the next query shows whether that works. */
  onConnectionLost?: (error: Error) => void;
}

/**
 * Opens a pool of connections to a database with the tables of `Schema`; the first is made when the first query asks for it.
 * End it with `db.destroy()`.
 * `bigint` (and so `count(*)`) arrives as a number, `timestamptz` as a Date, `date` as the text "2026-03-02", `numeric` as text.
 */
export function createDatabase<Schema>(url: string, options: DatabaseOptions = {}): Kysely<Schema> {
  const pool = new Pool({
    connectionString: url,
    max: options.max ?? 10,
    application_name: options.applicationName ?? "terrarium",
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    idle_in_transaction_session_timeout: options.idleInTransactionTimeoutMs ?? 60_000,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
    keepAlive: true,
    types: columnTypes,
    Client: PreparedClient,
  });
  // Without listeners node ends the process when a connection breaks: the pool tells of idle ones, and nobody of one that is lent
  // out but between two queries. Whoever has that one sees its next query fail.
  pool.on("error", (error) => options.onConnectionLost?.(error));
  pool.on("connect", (client) => client.on("error", () => undefined));
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
}

const INT8 = 20;
const DATE = 1082;

const columnTypes: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: "text" | "binary") => {
    if (oid === INT8) return parseInt8;
    // A date has no time zone; the driver would make it midnight of this machine's.
    if (oid === DATE) return String;
    return types.getTypeParser(oid, format);
  },
};

function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a number`);
  return value;
}
