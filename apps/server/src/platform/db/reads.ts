import { Pool, type PoolClient } from "pg";
import { columnTypes } from "./column-types.ts";

export interface ReadsOptions {
  /** Connections at most; reads that find all of them taken wait, and then travel together. */
  max?: number;
  /** Told when a connection that nobody uses breaks; the next read makes a new one. */
  onConnectionLost?: (error: Error) => void;
}

/** More texts than the service has; what is beyond is planned each time and kept by no connection. */
const MAX_STATEMENTS = 500;

interface Read {
  text: string;
  values: () => unknown[];
  resolve: (rows: never[]) => void;
  reject: (error: unknown) => void;
}

/**
 * Reads that many calls make, for the least work on both sides: what is asked for in one turn of the event loop goes to the
 * database in one write, and each text is planned once per connection. Each read is a transaction of its own.
 *
 * Plans know no values ("generic"), so constants that an index depends on belong into the text. Name the columns rather than take
 * `*`: PostgreSQL refuses a kept plan once its table has got another column.
 */
export class Reads {
  readonly #pool: Pool;
  readonly #names = new Map<string, string>();
  #waiting: Read[] = [];

  constructor(url: string, { max = 4, onConnectionLost }: ReadsOptions = {}) {
    this.#pool = new Pool({
      connectionString: url,
      max,
      application_name: "terrarium-reads",
      options: "-c plan_cache_mode=force_generic_plan -c default_transaction_read_only=on",
      statement_timeout: 30_000,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      pipeline: true,
      types: columnTypes,
    });
    this.#pool.on("error", (error) => onConnectionLost?.(error));
    this.#pool.on("connect", (client) => client.on("error", () => undefined));
  }

  /** Runs one SELECT. Values that are a function are asked for when the read is sent, so they may be gathered until then. */
  query<Row>(text: string, values: unknown[] | (() => unknown[])): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ text, values: typeof values === "function" ? values : () => values, resolve, reject });
      if (this.#waiting.length === 1) setImmediate(() => void this.#send());
    });
  }

  /** Ends the connections once what is under way has been answered. */
  stop(): Promise<void> {
    return this.#pool.end();
  }

  async #send(): Promise<void> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      for (const { reject } of this.#take()) reject(error);
    });
    if (!client) return;
    const stream = streamOf(client);
    stream.cork();
    const sent = this.#take().map(async ({ text, values, resolve, reject }) => {
      try {
        const { rows } = await client.query<never>({ name: this.#nameOf(text), text, values: values() });
        resolve(rows);
      } catch (error) {
        reject(error);
      }
    });
    stream.uncork();
    await Promise.all(sent);
    client.release();
  }

  #take(): Read[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }

  #nameOf(text: string): string | undefined {
    let name = this.#names.get(text);
    if (name === undefined && this.#names.size < MAX_STATEMENTS) this.#names.set(text, (name = `r${this.#names.size}`));
    return name;
  }
}

/** The driver's types do not tell of it: what is written to it corked leaves in one packet. */
const streamOf = (client: PoolClient): { cork(): void; uncork(): void } =>
  (client as unknown as { connection: { stream: { cork(): void; uncork(): void } } }).connection.stream;
