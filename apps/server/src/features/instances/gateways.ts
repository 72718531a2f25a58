import type { Database } from "../../platform/db/database.ts";
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

/** The gateway that looks after a device now. */
export async function findGatewayOf(db: Database, instance: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("instances")
    .innerJoin("gateways", "gateways.id", "instances.lease_holder")
    .select("gateways.address")
    .where("instances.uuid", "=", instance)
    .executeTakeFirst();
  return row?.address;
}
