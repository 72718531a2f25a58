import type { Insertable } from "kysely";
import { randomUUID } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { findOrganizationCalled } from "./organization-called.ts";
import { insertOrganization } from "./organizations.store.ts";
import type { OrganizationTable } from "./organizations.tables.ts";

/** Makes an organization, unless one of this identifier is there already. */
export const addOrganization = (db: Database, row: Insertable<OrganizationTable>): Promise<void> =>
  insertOrganization(db, row);

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
  await insertOrganization(db, { uuid, name: called, created_at: now });
  return { uuid, isNew: true };
}
