import { zones } from "@terrarium/contract";
import { z } from "zod";
import type { Database } from "../../database/schema.ts";
import type { Audit } from "../audit/audit.ts";
import type { By } from "../audit/by.ts";
import { organizationCalled } from "./organization-called.ts";
import { setTerms } from "./set-terms.ts";

const Zone = z.enum(zones);

/**
 * Sets where the devices of an organization run. A dedicated zone can be changed by the operator alone.
 * @param called its uuid or its name
 * @throws ZodError if there is no such zone; Error that says why, if it is not clear which organization is meant, or there is none
 */
export async function setZone(
  deps: { db: Database; audit: Audit; by: By },
  called: string,
  { zone, isDedicated }: { zone: string; isDedicated: boolean },
): Promise<void> {
  const fields = { zone: Zone.parse(zone), zone_type: isDedicated ? "dedicated" : "shared" } as const;
  await setTerms(deps, await organizationCalled(deps.db, called), fields);
}
