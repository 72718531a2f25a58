import type { Clock } from "@terrarium/clock";
import { activeStates } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { LEASE_MS } from "./leases.store.ts";

/** Where viewers of this gateway's devices are led. */
export async function tellGateway(db: Database, id: string, address: string, now: Date): Promise<void> {
  const expires_at = new Date(now.getTime() + LEASE_MS);
  await db
    .insertInto("gateways")
    .values({ id, address, expires_at })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ address, expires_at }))
    .execute();
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
  for (const deadline = clock.now() + CLAIM_TIMEOUT_MS; ; await clock.sleep(CLAIM_POLL_MS, signal)) {
    const row = await db
      .selectFrom("instances")
      .leftJoin("gateways", "gateways.id", "instances.lease_holder")
      .select("gateways.address")
      .where("instances.uuid", "=", instance)
      .where("instances.state", "in", activeStates)
      .executeTakeFirst();
    if (!row) return await findAnyGateway(db, new Date(clock.now()));
    if (row.address !== null || clock.now() >= deadline) return row.address ?? undefined;
  }
}

async function findAnyGateway(db: Database, now: Date): Promise<string | undefined> {
  const gateways = db.selectFrom("gateways").select("address").where("expires_at", ">", now);
  return (await gateways.limit(1).executeTakeFirst())?.address;
}
