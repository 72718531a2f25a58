import { zones } from "@terrarium/contract";
import { z } from "zod";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Audit } from "../audit/audit.ts";
import type { By } from "../audit/by.ts";
import { organizationCalled } from "./organization-called.ts";
import { updateOrganization } from "./organizations.store.ts";

const Zone = z.enum(zones);

/**
 * Sets where the devices of an organization run. A dedicated zone can be changed by the operator alone.
 * @param called its uuid or its name
 * @throws ZodError if there is no such zone; Error that says why, if it is not clear which organization is meant, or there is none
 */
export async function setZone(
  { db, audit, by }: { db: Database; audit: Audit; by: By },
  called: string,
  { zone, isDedicated }: { zone: string; isDedicated: boolean },
): Promise<void> {
  const fields = { zone: Zone.parse(zone), zone_type: isDedicated ? "dedicated" : "shared" } as const;
  await transaction(db, async (trx) => {
    const uuid = await organizationCalled(trx, called);
    await updateOrganization(trx, uuid, fields);
    const subject = { kind: "organization", uuid } as const;
    await audit.record(trx, by, { action: "organization.set_zone", subject, organization: uuid, details: fields });
  });
}
