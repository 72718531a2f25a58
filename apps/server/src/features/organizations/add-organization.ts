import type { Insertable } from "kysely";
import { randomUUID } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { findOrganizationByName, insertOrganization } from "./organizations.store.ts";
import type { OrganizationTable } from "./organizations.tables.ts";

/** Makes an organization, unless one of this identifier is there already. */
export const addOrganization = (db: Database, row: Insertable<OrganizationTable>): Promise<void> =>
  insertOrganization(db, row);

/** The organization of that name, which is created if there is none. */
export async function organizationNamed(
  db: Database,
  name: string,
  now: Date,
): Promise<{ uuid: string; isNew: boolean }> {
  const known = await findOrganizationByName(db, name);
  if (known !== undefined) return { uuid: known, isNew: false };
  const uuid = randomUUID();
  await insertOrganization(db, { uuid, name, created_at: now });
  return { uuid, isNew: true };
}
