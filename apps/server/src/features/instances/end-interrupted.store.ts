import { supervisedStates } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";

/** The devices that a gateway should supervise. */
export async function listSupervised(db: Database): Promise<string[]> {
  const rows = await db.selectFrom("instances").select("uuid").where("state", "in", supervisedStates).execute();
  return rows.map(({ uuid }) => uuid);
}

/** Removes all gateways, that some drain, and their leases. */
export async function forgetGateways(db: Database): Promise<void> {
  await db.deleteFrom("gateways").execute();
  await db.deleteFrom("draining_gateways").execute();
  await db.updateTable("instances").set({ lease_holder: null }).where("lease_holder", "is not", null).execute();
}
