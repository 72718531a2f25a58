import { type Zone, zones } from "@terrarium/contract";
import { transaction } from "../../platform/db/transaction.ts";
import type { By } from "../audit/by.ts";
import type { FeatureDeps } from "../deps.ts";
import { setZoneLimit } from "./queue.store.ts";

export { listZones } from "./queue.store.ts";

/** Limits how many devices a zone has, whatever its machines could run; undefined ends that. @throws Error if there is no such zone */
export async function limitZone(
  { db, audit }: Pick<FeatureDeps, "db" | "audit">,
  zone: string,
  devices: number | undefined,
  by: By,
): Promise<void> {
  if (!zones.includes(zone as Zone)) throw new Error(`There is no zone ${zone}: ${zones.join(", ")}.`);
  await transaction(db, async (trx) => {
    await setZoneLimit(trx, zone, devices);
    await audit.record(trx, by, { action: "zone.limit", details: { zone, devices: devices ?? null } });
  });
}
