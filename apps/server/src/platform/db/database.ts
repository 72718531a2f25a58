import { Kysely, PostgresDialect } from "kysely";
import { Pool } from "pg";
import { columnTypes } from "./column-types.ts";
import { PreparedClient } from "./prepared-client.ts";

export interface DatabaseOptions {
  /** The maximum number of connections; when all are in use, queries wait. */
  max?: number;
  /** Shown in `pg_stat_activity`. */
  applicationName?: string;
  /** The database cancels statements that run longer. */
  statementTimeoutMs?: number;
  /** How long an answer may take before its connection is given up: a database whose machine is gone does not say so. 0 is for ever. */
  answerTimeoutMs?: number;
  /** How long a query waits for a connection before it fails. */
  connectTimeoutMs?: number;
  /** Called when an idle connection is lost. The pool replaces it by itself. */
  onConnectionLost?: (error: Error) => void;
  /** Gets a function that returns how the pool's connections are used. */
  onPool?: (use: () => PoolUse) => void;
  /** Called after each query, where it was asked. */
  onQuery?: ((query: QueryDone) => void) | undefined;
}

export interface QueryDone {
  /** Without its parameters. */
  text: string;
  tookMs: number;
  hasFailed: boolean;
}

/** Connections of a pool: those that work, those that could, and the queries that wait for one. */
export interface PoolUse {
  used: number;
  idle: number;
  waiting: number;
}

/**
 * Creates a connection pool for a database with the tables of `Schema`. Connections are opened when needed; close them with
 * `db.destroy()`. For the JavaScript types of columns see `columnTypes`.
 */
export function createDatabase<Schema>(url: string, options: DatabaseOptions = {}): Kysely<Schema> {
  const statementTimeoutMs = options.statementTimeoutMs ?? 30_000;
  const pool = new Pool({
    connectionString: url,
    max: options.max ?? 10,
    application_name: options.applicationName ?? "terrarium",
    statement_timeout: statementTimeoutMs,
    query_timeout: options.answerTimeoutMs ?? statementTimeoutMs + 5_000,
    // So that a stuck process does not hold locks.
    idle_in_transaction_session_timeout: 60_000,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
    keepAlive: true,
    types: columnTypes,
    Client: PreparedClient,
  });
  // Without listeners, a lost connection would end the process. The pool reports idle connections only; when one in use is lost between
  // two queries, its next query fails.
  pool.on("error", (error) => options.onConnectionLost?.(error));
  pool.on("connect", (client) => client.on("error", () => undefined));
  options.onPool?.(() => ({
    used: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  }));
  const { onQuery } = options;
  return new Kysely<Schema>({
    dialect: new PostgresDialect({ pool }),
    ...(onQuery && {
      log: ({ level, query, queryDurationMillis: tookMs }) =>
        onQuery({ text: query.sql, tookMs, hasFailed: level === "error" }),
    }),
  });
}
