import { Pool, type PoolClient } from "pg";
import { columnTypes } from "./column-types.ts";
import { isUnavailable } from "./database-errors.ts";
import { PreparedClient } from "./prepared-client.ts";

export interface ReadsOptions {
  /** The maximum number of connections, without the two that `first` may have. When all are in use, reads wait and are then sent together. */
  max: number;
  /** How long an answer may take before its connection is given up: a database whose machine is gone does not say so. */
  answerTimeoutMs?: number;
  /** Called when an idle connection is lost; the next read opens a new one. */
  onConnectionLost?: (error: Error) => void;
}

/** The database cancels a statement that runs longer. */
const STATEMENT_TIMEOUT_MS = 30_000;
/** How long reads are collected at most, so that one connection that hangs holds up no other. */
const MAX_COLLECTING_MS = 100;

interface Read {
  text: string;
  values: () => unknown[];
  resolve: (rows: never[]) => void;
  reject: (error: unknown) => void;
}

/** Those that wait, and the connections that they are sent on. */
interface Lane {
  pool: Pool;
  waiting: Read[];
  /** Whether it has asked for a connection. */
  isConnecting: boolean;
}

/**
 * Runs frequent reads with the least work on both sides: all reads of one turn of the event loop are pipelined in one write, and each
 * statement is planned once per connection. Each read is its own read-only transaction.
 *
 * What everybody waits for goes `first`: in the same write, before the others, or on a connection of its own when none of theirs is idle,
 * so that it never waits for a slow read. The next reads are collected until it is answered, for a moment at most. While several connections
 * are idle, each statement has one of them.
 *
 * Plans are generic, so put constants that a partial index depends on into the text, not into the values. Name columns instead of using `*`:
 * PostgreSQL rejects a prepared statement after a column was added.
 */
export class Reads {
  /** Runs reads before those that `query` runs. */
  readonly first: Pick<Reads, "query">;
  readonly #first: Lane;
  readonly #others: Lane;
  #isDue = false;
  /** The writes whose first reads the next ones are collected for. */
  #collecting = 0;

  constructor(url: string, { max, ...options }: ReadsOptions) {
    // One stays open: the database may have no other when it is needed.
    this.#first = laneTo(url, { min: 1, max: 2 }, options);
    this.#others = laneTo(url, { min: 0, max }, options);
    this.first = { query: (text, values) => this.#ask(this.#first, text, values) };
  }

  /** Runs one SELECT. If `values` is a function, it is called when the read is sent, so values can be collected until then. */
  query<Row>(text: string, values: unknown[] | (() => unknown[])): Promise<Row[]> {
    return this.#ask(this.#others, text, values);
  }

  /** Closes the connections when pending reads are done. */
  async stop(): Promise<void> {
    await Promise.all([this.#first.pool.end(), this.#others.pool.end()]);
  }

  #ask<Row>({ waiting }: Lane, text: string, values: unknown[] | (() => unknown[])): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      waiting.push({ text, values: typeof values === "function" ? values : () => values, resolve, reject });
      this.#sendSoon();
    });
  }

  #sendSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      if (this.#collecting === 0) this.#sendAll();
    });
  }

  #sendAll(): void {
    const { pool, waiting } = this.#others;
    const hasFirst = this.#first.waiting.length > 0;
    const goTogether = hasFirst && pool.idleCount > 0;
    if (hasFirst && !goTogether) void this.#send(this.#first);
    if (goTogether || waiting.length > 0) void this.#send(this.#others);
  }

  /** Sends what waits on a connection of the lane, as soon as there is one. */
  async #send(lane: Lane): Promise<void> {
    if (lane.isConnecting && lane.pool.idleCount === 0) return;
    lane.isConnecting = true;
    const client = await lane.pool.connect().catch((error: unknown) => {
      for (const { reject } of lane.waiting.splice(0)) reject(error);
    });
    lane.isConnecting = false;
    // Those that go first may have waited for a connection of the others.
    if (!client) return this.#sendSoon();
    const stream = streamOf(client);
    // A connection that failed may not have closed yet.
    let discard = false;
    const send = async ({ text, values, resolve, reject }: Read) => {
      try {
        resolve((await client.query<never>(text, values())).rows);
      } catch (error) {
        discard ||= isUnavailable(error);
        reject(error);
      }
    };
    stream.cork();
    const first = this.#first.waiting.splice(0).map(send);
    const others = lane === this.#others ? takeFrom(lane).map(send) : [];
    stream.uncork();
    if (lane === this.#others && lane.waiting.length > 0) void this.#send(lane);
    if (first.length > 0) void this.#collectUntil(Promise.all(first));
    await Promise.all([...first, ...others]);
    client.release(discard);
  }

  async #collectUntil(answered: Promise<unknown>): Promise<void> {
    this.#collecting++;
    const { promise: tooLong, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, MAX_COLLECTING_MS);
    await Promise.race([answered, tooLong]);
    clearTimeout(timer);
    this.#collecting--;
    this.#sendSoon();
  }
}

function laneTo(
  url: string,
  size: { min: number; max: number },
  { answerTimeoutMs = STATEMENT_TIMEOUT_MS + 5_000, onConnectionLost }: Omit<ReadsOptions, "max">,
): Lane {
  const pool = new Pool({
    connectionString: url,
    ...size,
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
  pool.on("error", (error) => onConnectionLost?.(error));
  pool.on("connect", (client) => client.on("error", () => undefined));
  return { pool, waiting: [], isConnecting: false };
}

/** All that waits, or of one statement while another connection is idle for the rest: it may be slow. */
function takeFrom({ waiting, pool }: Lane): Read[] {
  const taken = waiting.splice(0);
  if (pool.idleCount === 0) return taken;
  const isNext = ({ text }: Read) => text === taken[0]?.text;
  waiting.push(...taken.filter((read) => !isNext(read)));
  return taken.filter(isNext);
}

/** The socket, which the driver's types do not expose. What is written while it is corked is sent in one packet. */
const streamOf = (client: PoolClient): { cork(): void; uncork(): void } =>
  (client as unknown as { connection: { stream: { cork(): void; uncork(): void } } }).connection.stream;
