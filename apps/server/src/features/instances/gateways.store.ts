import { activeStates } from "@terrarium/contract";
import type { Insertable } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { GatewayTable } from "./instances.tables.ts";

export async function upsertGateway(db: Database, { id, ...fields }: Insertable<GatewayTable>): Promise<void> {
  await db
    .insertInto("gateways")
    .values({ id, ...fields })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(fields))
    .execute();
}

/** The address of the gateway that holds a device's lease, null when none does; undefined when the device is not there or is over. */
export async function findHolderAddress(db: Database, instance: string): Promise<string | null | undefined> {
  const row = await db
    .selectFrom("instances")
    .leftJoin("gateways", "gateways.id", "instances.lease_holder")
    .select("gateways.address")
    .where("instances.uuid", "=", instance)
    .where("instances.state", "in", activeStates)
    .executeTakeFirst();
  return row?.address;
}

/** The address of any gateway that was heard of lately. */
export async function findAnyGateway(db: Database, now: Date): Promise<string | undefined> {
  const row = await db
    .selectFrom("gateways")
    .select("address")
    .where("expires_at", ">", now)
    .limit(1)
    .executeTakeFirst();
  return row?.address;
}
