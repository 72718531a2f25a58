import type { Insertable } from "kysely";
import { randomUUID } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { addGrant } from "../billing/minutes.ts";
import { addDefaultGroup } from "../groups/default-group.ts";
import { servedZone } from "../instances/gateways.ts";
import { findOrganizationCalled } from "./organization-called.ts";
import { insertOrganization } from "./organizations.store.ts";
import type { OrganizationTable } from "./organizations.tables.ts";

/** Where devices run unless somebody says otherwise. */
export const USUAL_ZONE = "europe";

/** What an organization has for free, unless the settings say otherwise. */
const USUAL_MINUTES = 60;

/**
 * Makes an organization with its default group, unless one of this identifier is there already. If no zone is given, its devices run where
 * there are gateways. Without a plan, its devices may run for this many minutes.
 */
export const addOrganization = (
  db: Database,
  row: Insertable<OrganizationTable> & { created_at: Date },
  freeMinutes = USUAL_MINUTES,
): Promise<void> =>
  transaction(db, async (trx) => {
    const zone = row.zone ?? (await servedZone(trx, USUAL_ZONE));
    if (!(await insertOrganization(trx, { ...row, zone }))) return;
    await addDefaultGroup(trx, row.uuid, row.created_at);
    if (freeMinutes > 0) await addGrant(trx, row.uuid, freeMinutes, row.created_at);
  });

/**
 * The organization that the operator calls by its uuid or its name; if none has the name, one is created.
 * @throws Error that says why, if it is not clear which one is meant
 */
export async function organizationNamed(
  db: Database,
  called: string,
  now: Date,
): Promise<{ uuid: string; isNew: boolean }> {
  const known = await findOrganizationCalled(db, called);
  if (known !== undefined) return { uuid: known, isNew: false };
  const uuid = randomUUID();
  await addOrganization(db, { uuid, name: called, created_at: now });
  return { uuid, isNew: true };
}
