import { type Clock, every } from "@terrarium/clock";
import type { Database } from "../../database/schema.ts";
import { listen } from "../../platform/db/listen.ts";
import type { Logger } from "../../platform/log.ts";
import { CREDENTIAL_ENDED, findLiveCredentials } from "./credentials.ts";

/** For what nobody tells: a user who was disabled, a word that was lost with the connection. */
const LOOK_EVERY_MS = 30_000;

/** What stays open for longer than the call that opened it: sockets, viewers. */
export interface Holder {
  /** The sessions and API tokens that something is open for. */
  credentials(): Iterable<string>;
  /** Closes all that was opened with this one. */
  credentialEnded(credential: string): void;
}

export interface WatchDeps {
  db: Database;
  databaseUrl: string;
  clock: Clock;
  log: Logger;
  signal: AbortSignal;
}

/**
 * Closes what was opened with a session or an API token when that is over: at once after a sign-out or a revocation, within
 * 30 s otherwise. Resolves when it listens; `stopped` when the signal has ended it.
 */
export async function watchCredentials(deps: WatchDeps, holder: Holder): Promise<{ stopped: Promise<unknown> }> {
  const { db, databaseUrl, clock, log, signal } = deps;
  const look = () =>
    cutEnded(db, holder).catch((error: unknown) => log.warn({ err: error }, "credentials could not be looked at"));
  const listening = await listen(databaseUrl, CREDENTIAL_ENDED, (credential) => holder.credentialEnded(credential), {
    clock,
    signal,
    onReconnect: () => void look(),
  });
  return { stopped: Promise.all([listening.stopped, every(clock, LOOK_EVERY_MS, look, signal)]) };
}

async function cutEnded(db: Database, holder: Holder): Promise<void> {
  const held = new Set(holder.credentials());
  if (held.size === 0) return;
  const live = await findLiveCredentials(db, [...held]);
  for (const credential of held) if (!live.has(credential)) holder.credentialEnded(credential);
}
