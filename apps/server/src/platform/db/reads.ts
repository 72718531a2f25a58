import { Pool, type PoolClient } from "pg";
import { columnTypes } from "./column-types.ts";
import { isUnavailable } from "./database-errors.ts";
import { PreparedClient } from "./prepared-client.ts";

export interface ReadsOptions {
  /** The maximum number of connections. When all are in use, reads wait and are then sent together. */
  max: number;
  /** How long an answer may take before its connection is given up: a database whose machine is gone does not say so. */
  answerTimeoutMs?: number;
  /** Called when an idle connection is lost; the next read opens a new one. */
  onConnectionLost?: (error: Error) => void;
}

/** The database cancels a statement that runs longer. */
const STATEMENT_TIMEOUT_MS = 30_000;

interface Read {
  text: string;
  values: () => unknown[];
  resolve: (rows: never[]) => void;
  reject: (error: unknown) => void;
}

/**
 * Runs frequent reads with the least work on both sides: all reads of one turn of the event loop are pipelined in one write, and each
 * statement is planned once per connection. Each read is its own read-only transaction.
 *
 * Plans are generic, so put constants that a partial index depends on into the text, not into the values. Name columns instead of using `*`:
 * PostgreSQL rejects a prepared statement after a column was added.
 */
export class Reads {
  readonly #pool: Pool;
  #waiting: Read[] = [];

  constructor(url: string, { max, answerTimeoutMs = STATEMENT_TIMEOUT_MS + 5_000, onConnectionLost }: ReadsOptions) {
    this.#pool = new Pool({
      connectionString: url,
      max,
      application_name: "terrarium-reads",
      options: "-c plan_cache_mode=force_generic_plan -c default_transaction_read_only=on",
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: answerTimeoutMs,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      pipeline: true,
      types: columnTypes,
      Client: PreparedClient,
    });
    this.#pool.on("error", (error) => onConnectionLost?.(error));
    this.#pool.on("connect", (client) => client.on("error", () => undefined));
  }

  /** Runs one SELECT. If `values` is a function, it is called when the read is sent, so values can be collected until then. */
  query<Row>(text: string, values: unknown[] | (() => unknown[])): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ text, values: typeof values === "function" ? values : () => values, resolve, reject });
      if (this.#waiting.length === 1) setImmediate(() => void this.#send());
    });
  }

  /** Closes the connections when pending reads are done. */
  stop(): Promise<void> {
    return this.#pool.end();
  }

  async #send(): Promise<void> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      for (const { reject } of this.#take()) reject(error);
    });
    if (!client) return;
    const stream = streamOf(client);
    // A connection that failed may not have closed yet.
    let discard = false;
    stream.cork();
    const sent = this.#take().map(async ({ text, values, resolve, reject }) => {
      try {
        resolve((await client.query<never>(text, values())).rows);
      } catch (error) {
        discard ||= isUnavailable(error);
        reject(error);
      }
    });
    stream.uncork();
    await Promise.all(sent);
    client.release(discard);
  }

  #take(): Read[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }
}

/** The socket, which the driver's types do not expose. What is written while it is corked is sent in one packet. */
const streamOf = (client: PoolClient): { cork(): void; uncork(): void } =>
  (client as unknown as { connection: { stream: { cork(): void; uncork(): void } } }).connection.stream;
