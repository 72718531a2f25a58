import type { InstanceState } from "@terrarium/contract";
import { type Insertable, sql } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { OrganizationTable } from "./organizations.tables.ts";

/** The organization with the number of its devices in any of `states`. */
export const findOrganization = (db: Database, uuid: string, states: readonly InstanceState[]) =>
  db
    .selectFrom("organizations")
    .selectAll()
    .select((select) =>
      select
        .selectFrom("instances")
        .whereRef("instances.organization_uuid", "=", "organizations.uuid")
        .where("instances.state", "in", states)
        .select(sql<number>`count(*)`.as("count"))
        .as("running_instances"),
    )
    .where("uuid", "=", uuid)
    .executeTakeFirst();

/** The architectures that an organization supports. */
export async function findSupportedArch(db: Database, organization: string | null): Promise<string[]> {
  const row = db.selectFrom("organizations").select("supported_arch").where("uuid", "=", organization);
  return (await row.executeTakeFirst())?.supported_arch ?? [];
}

/** The identifier of the organization of that name. */
export async function findOrganizationByName(db: Database, name: string): Promise<string | undefined> {
  return (await db.selectFrom("organizations").select("uuid").where("name", "=", name).executeTakeFirst())?.uuid;
}

/** Does nothing where an organization of that identifier is there already. */
export async function insertOrganization(db: Database, row: Insertable<OrganizationTable>): Promise<void> {
  await db
    .insertInto("organizations")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Returns the organizations of that name. */
export const updateInstanceLimit = (db: Database, name: string, instances_max: number) =>
  db.updateTable("organizations").set({ instances_max }).where("name", "=", name).returning("uuid").execute();
