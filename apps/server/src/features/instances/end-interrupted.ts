import type { Database } from "../../database/schema.ts";
import { forgetGateways, listSupervised } from "./end-interrupted.store.ts";
import { moveInstance } from "./move-instance.ts";

/**
 * Ends every device that a gateway should supervise, as none of their machines exist any more, and forgets the gateways.
 * @returns how many devices have ended
 */
export async function endInterruptedInstances(db: Database, now: Date): Promise<number> {
  await forgetGateways(db);
  const uuids = await listSupervised(db);
  for (const uuid of uuids) {
    // A device that was being stopped is stopped; any other one has failed.
    await moveInstance(db, { uuid, event: "stopped", now });
    await moveInstance(db, { uuid, event: "deleted", now });
    await moveInstance(db, { uuid, event: "fail", now, reason: "machine_gone" });
  }
  return uuids.length;
}
