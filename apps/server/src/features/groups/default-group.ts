import { randomUUID } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { insertGroup, insertIntoDefault } from "./groups.store.ts";

/** The first group of an organization, which its members join. Managers may change all of it, and make another the default. */
export const addDefaultGroup = (trx: Database, organization: string, created_at: Date): Promise<void> =>
  insertGroup(trx, {
    uuid: randomUUID(),
    organization_uuid: organization,
    parent_uuid: null,
    name: "Default group",
    is_default: true,
    created_at,
  });

/** Puts somebody who has become a member of an organization into its default group; a guest is in none. */
export async function joinDefaultGroup(
  trx: Database,
  { uuid, organization_uuid }: { uuid: string; organization_uuid?: string | null },
): Promise<void> {
  if (organization_uuid) await insertIntoDefault(trx, organization_uuid, uuid);
}
