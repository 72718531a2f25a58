import type { Clock } from "@terrarium/clock";
import { type QueryExecutorProvider, sql } from "kysely";
import { Client } from "pg";

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;
const HEARTBEAT_MS = 30_000;
const ANSWER_TIMEOUT_MS = 5_000;

export interface ListenOptions {
  clock: Clock;
  /** Stops listening. */
  signal: AbortSignal;
  /** Called after each reconnection. Messages sent in between were missed, so read the changes from the tables. */
  onReconnect: () => void;
  onConnectionLost?: (error: unknown) => void;
}

/**
 * Sends a notification to `channel`, which is delivered if and when the transaction commits. PostgreSQL limits payloads to less than
 * 8000 bytes.
 */
export async function notify(db: QueryExecutorProvider, channel: string, payload: string): Promise<void> {
  await sql`SELECT pg_notify(${channel}, ${payload})`.execute(db);
}

/**
 * Listens for notifications on a channel, with a separate connection. Resolves once it listens; from then on it reconnects when the
 * connection is lost, with a delay of 0.1 to 5 s. `stopped` resolves when the signal has aborted and the connection is closed.
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

/** Listens on one connection: returns when the signal aborts, throws when the connection is lost. */
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
      // Without a query we would not notice that the peer has vanished.
      await clock.sleep(HEARTBEAT_MS, over);
      await client.query("SELECT 1");
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}
