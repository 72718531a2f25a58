import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { OwnedTable } from "../catalogue/owned.ts";
import { runs } from "../instances/waits.store.ts";
import type { OrganizationTable } from "./organizations.tables.ts";

export { findRunning } from "../billing/subscriptions.store.ts";

export type OrganizationRow = Selectable<OrganizationTable>;

/** The organization with the number of its devices that run. */
export const findOrganization = (db: Database, uuid: string) =>
  db
    .selectFrom("organizations")
    .selectAll()
    .select((select) =>
      select
        .selectFrom("instances")
        .whereRef("instances.organization_uuid", "=", "organizations.uuid")
        .where(runs)
        .select(sql<number>`count(*)`.as("count"))
        .as("running_instances"),
    )
    .select((select) =>
      select
        .selectFrom("groups")
        .whereRef("groups.organization_uuid", "=", "organizations.uuid")
        .where("parent_uuid", "is", null)
        .select(sql<number>`coalesce(sum(group_allocation), 0)`.as("sum"))
        .as("allocated"),
    )
    .where("uuid", "=", uuid)
    .executeTakeFirst();

/** The architectures that an organization supports. */
export async function findSupportedArch(db: Database, organization: string | null): Promise<string[]> {
  const row = db.selectFrom("organizations").select("supported_arch").where("uuid", "=", organization);
  return (await row.executeTakeFirst())?.supported_arch ?? [];
}

/** When an organization was founded. */
export async function foundingOf(db: Database, uuid: string): Promise<Date> {
  const row = db.selectFrom("organizations").select("created_at").where("uuid", "=", uuid);
  return (await row.executeTakeFirstOrThrow()).created_at;
}

/** By which the minutes of an organization are counted. */
export const minuteAccount = (
  db: Database,
  uuid: string,
): Promise<Pick<OrganizationRow, "uuid" | "minutes_settled_at">> =>
  db
    .selectFrom("organizations")
    .select(["uuid", "minutes_settled_at"])
    .where("uuid", "=", uuid)
    .executeTakeFirstOrThrow();

/** Where an organization's devices run. */
export async function zoneOf(db: Database, uuid: string): Promise<string> {
  const row = db.selectFrom("organizations").select("zone").where("uuid", "=", uuid);
  return (await row.executeTakeFirstOrThrow()).zone;
}

/** The identifiers of the organizations of that name, the oldest first. */
export async function findOrganizationsByName(db: Database, name: string): Promise<string[]> {
  const rows = db.selectFrom("organizations").select("uuid").where("name", "=", name);
  return (await rows.orderBy("created_at").orderBy("uuid").execute()).map(({ uuid }) => uuid);
}

export const hasOrganization = async (db: Database, uuid: string): Promise<boolean> =>
  (await db.selectFrom("organizations").select("uuid").where("uuid", "=", uuid).executeTakeFirst()) !== undefined;

/** Returns false if an organization of that identifier is there already. */
export async function insertOrganization(db: Database, row: Insertable<OrganizationTable>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("organizations")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Whoever locks the same organization waits until the transaction ends. */
export const lockOrganization = (trx: Database, uuid: string): Promise<OrganizationRow | undefined> =>
  trx
    .selectFrom("organizations")
    .selectAll()
    .where("uuid", "=", uuid)
    // Rows that refer to the organization are inserted meanwhile.
    .forNoKeyUpdate()
    .executeTakeFirst();

export const countOwned = async (db: Database, table: OwnedTable, organization: string): Promise<number> =>
  (
    await db
      .selectFrom(table)
      .select((select) => select.fn.countAll<number>().as("count"))
      .where("organization_uuid", "=", organization)
      .executeTakeFirstOrThrow()
  ).count;

export async function updateOrganization(
  db: Database,
  uuid: string,
  fields: Updateable<OrganizationTable>,
): Promise<void> {
  await db.updateTable("organizations").set(fields).where("uuid", "=", uuid).execute();
}

/** The addresses of those who manage an organization, and its name. */
export const findManagers = (db: Database, organization: string): Promise<{ address: string; name: string }[]> =>
  db
    .selectFrom("users")
    .innerJoin("organizations", "organizations.uuid", "users.organization_uuid")
    .select(["users.email as address", "organizations.name"])
    .where("organizations.uuid", "=", organization)
    .where("is_organization_manager", "=", true)
    .where("is_enabled", "=", true)
    .where("is_validated", "=", true)
    .orderBy("users.uuid")
    .execute();
