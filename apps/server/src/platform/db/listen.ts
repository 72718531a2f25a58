import type { Clock } from "@terrarium/clock";
import { type QueryExecutorProvider, sql } from "kysely";
import { Client } from "pg";

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;
const HEARTBEAT_MS = 30_000;
const ANSWER_TIMEOUT_MS = 5_000;

export interface ListenOptions {
  clock: Clock;
  /** Ends the listening. */
  signal: AbortSignal;
  /** Called each time a lost connection listens again: whatever was told in between was missed, so read it from the tables. */
  onReconnect: () => void;
  onConnectionLost?: (error: unknown) => void;
}

/**
 * Tells `channel` something when the transaction commits, and nothing when it does not. PostgreSQL takes payloads
 * of less than 8000 bytes: send ids, not rows.
 */
export async function notify(db: QueryExecutorProvider, channel: string, payload: string): Promise<void> {
  await sql`SELECT pg_notify(${channel}, ${payload})`.execute(db);
}

/**
 * Hears what is told on a channel, on a connection of its own. Resolves when it listens for the first time; from then on a lost
 * connection is made again, waiting 0.1 to 5 s between tries. `stopped` resolves when the signal has ended it and the connection is closed.
 */
export async function listen(
  url: string,
  channel: string,
  onMessage: (payload: string) => void,
  options: ListenOptions,
): Promise<{ stopped: Promise<void> }> {
  let listening = 0;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onListening = () => {
    if (listening++ > 0) options.onReconnect();
    else resolve();
  };
  const stopped = keepListening(url, channel, { ...options, onMessage, onListening });
  stopped.then(() => reject(options.signal.reason), reject);
  await promise;
  return { stopped };
}

type Hearing = ListenOptions & { onMessage: (payload: string) => void; onListening: () => void };

async function keepListening(url: string, channel: string, hearing: Hearing): Promise<void> {
  const { clock, signal } = hearing;
  let waitMs = FIRST_WAIT_MS;
  const onListening = () => {
    waitMs = FIRST_WAIT_MS;
    hearing.onListening();
  };
  while (!signal.aborted) {
    try {
      await listenOnce(url, channel, { ...hearing, onListening });
    } catch (error) {
      if (signal.aborted) return;
      hearing.onConnectionLost?.(error);
      await clock.sleep(waitMs, signal).catch(() => undefined);
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
    }
  }
}

/** One connection's life: returns when the signal aborts, throws when it breaks. */
async function listenOnce(url: string, channel: string, { clock, signal, onMessage, onListening }: Hearing) {
  const client = new Client({
    connectionString: url,
    application_name: "terrarium-listen",
    connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
  });
  const broken = new AbortController();
  client.on("error", (error) => broken.abort(error));
  client.on("end", () => broken.abort(new Error("The connection ended")));
  client.on("notification", ({ payload = "" }) => onMessage(payload));
  try {
    await client.connect();
    await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    onListening();
    const over = AbortSignal.any([signal, broken.signal]);
    for (;;) {
      // A peer that vanished without a word is noticed only by asking.
      await clock.sleep(HEARTBEAT_MS, over);
      await client.query("SELECT 1");
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}
