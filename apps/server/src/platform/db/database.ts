import { Kysely, PostgresDialect } from "kysely";
import { Pool } from "pg";
import { columnTypes } from "./column-types.ts";
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
 * End it with `db.destroy()`. What columns arrive as is told by `columnTypes`.
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
