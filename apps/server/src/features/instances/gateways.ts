import type { Clock } from "@terrarium/clock";
import type { Database } from "../../database/schema.ts";
import { findAnyGateway, findHolderAddress, upsertGateway } from "./gateways.store.ts";
import { LEASE_MS } from "./leases.store.ts";

/** Records the address that viewers of this gateway's devices are led to; it has to be renewed. */
export async function registerGateway(db: Database, id: string, address: string, now: Date): Promise<void> {
  const expires_at = new Date(now.getTime() + LEASE_MS);
  await upsertGateway(db, { id, address, expires_at });
}

/** A start is answered before a gateway has claimed the row; who opens the display at once waits for that, so long at most. */
const CLAIM_TIMEOUT_MS = 3_000;
/** Between looks. A claim follows the row by some ten milliseconds. */
const CLAIM_POLL_MS = 15;

/**
 * The address of the gateway that looks after a device, now or within 3 s; undefined when none does. For a device that is over
 * or was never there it is any gateway: on a socket it can say so, and a player stops asking. Rejects with the signal's reason.
 */
export async function findGatewayOf(
  db: Database,
  clock: Clock,
  instance: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (const deadline = clock.monotonic() + CLAIM_TIMEOUT_MS; ; await clock.sleep(CLAIM_POLL_MS, signal)) {
    const holder = await findHolderAddress(db, instance);
    if (holder === undefined) return await findAnyGateway(db, new Date(clock.now()));
    if (holder !== null || clock.monotonic() >= deadline) return holder ?? undefined;
  }
}
