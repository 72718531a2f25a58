import { type Clock, every } from "@terrarium/clock";
import type { Database } from "../../database/schema.ts";
import { listen } from "../../platform/db/listen.ts";
import type { Logger } from "../../platform/log.ts";

/** How often to check the rows, in case a notification was lost. */
const CHECK_EVERY_MS = 30_000;

export interface WatchDeps {
  db: Database;
  databaseUrl: string;
  clock: Clock;
  log: Logger;
  signal: AbortSignal;
}

/**
 * Listens on a channel, and calls `check` every 30 s and after each gap, for what was missed. Resolves when it listens; `stopped`
 * resolves when the signal has ended it.
 */
export async function listenAndCheck(
  { databaseUrl, clock, log, signal }: WatchDeps,
  channel: string,
  onMessage: (payload: string) => void,
  check: () => Promise<void>,
): Promise<{ stopped: Promise<unknown> }> {
  const tryCheck = () =>
    check().catch((error: unknown) => log.warn({ err: error, channel }, "lost notifications could not be made up for"));
  const onReconnect = () => void tryCheck();
  const listening = await listen(databaseUrl, channel, onMessage, { clock, signal, onReconnect });
  return { stopped: Promise.all([listening.stopped, every(clock, CHECK_EVERY_MS, tryCheck, signal)]) };
}
