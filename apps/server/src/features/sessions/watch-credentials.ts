import { CREDENTIAL_ENDED, findLiveCredentials } from "./credentials.ts";
import { listenAndCheck, type WatchDeps } from "./listen-and-check.ts";

/** Holds what stays open after the request that opened it: sockets, viewers. */
export interface Holder {
  /** The sessions and API tokens with which something is open. */
  credentials(): Iterable<string>;
  /** Closes everything that was opened with it. */
  credentialEnded(credential: string): void;
}

/**
 * Closes what was opened with a session or an API token as soon as that ends, is deleted, or its owner is disabled; within 30 s if the
 * notification was lost, or the token expired. Resolves when it listens; `stopped` resolves when the signal has ended it.
 */
export function watchCredentials(deps: WatchDeps, holder: Holder): Promise<{ stopped: Promise<unknown> }> {
  const check = async () => {
    const held = new Set(holder.credentials());
    if (held.size === 0) return;
    const live = await findLiveCredentials(deps.db, [...held], new Date(deps.clock.now()));
    for (const credential of held) if (!live.has(credential)) holder.credentialEnded(credential);
  };
  return listenAndCheck(deps, CREDENTIAL_ENDED, (credential) => holder.credentialEnded(credential), check);
}
