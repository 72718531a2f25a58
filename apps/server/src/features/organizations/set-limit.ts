import { z } from "zod";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Audit } from "../audit/audit.ts";
import type { By } from "../audit/by.ts";
import { organizationCalled } from "./organization-called.ts";
import { updateOrganization } from "./organizations.store.ts";

const GIB = 1024 ** 3;

const Count = z.int().min(0).max(100_000);

/** What an organization may have a limited number of, by the operator's word for it. */
const columns = {
  devices: "instances_max",
  recipes: "recipes_max",
  "hardware-profiles": "hardware_profiles_max",
  "os-images": "os_images_max",
  "saved-gigabytes": "saved_bytes_max",
} as const;

export type Limited = keyof typeof columns;
export const limited = Object.keys(columns) as Limited[];

/**
 * Sets how many of something an organization may have: devices that run at once, for example.
 * @param called its uuid or its name
 * @throws Error that says why, if it is not clear which one is meant, or there is none
 */
export async function setLimit(
  { db, audit, by }: { db: Database; audit: Audit; by: By },
  called: string,
  count: number,
  what: Limited = "devices",
): Promise<void> {
  const max = Count.parse(count) * (what === "saved-gigabytes" ? GIB : 1);
  const limit = { [columns[what]]: max };
  await transaction(db, async (trx) => {
    const uuid = await organizationCalled(trx, called);
    await updateOrganization(trx, uuid, limit);
    await audit.record(trx, by, {
      action: "organization.set_limit",
      subject: { kind: "organization", uuid },
      organization: uuid,
      details: limit,
    });
  });
}
