import type { Person } from "@terrarium/contract";
import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Database } from "../../database/schema.ts";
import { runs } from "../instances/waits.store.ts";
import type { GroupTable } from "./groups.tables.ts";

export type GroupRow = Selectable<GroupTable>;

/** Where people are, or are to be. */
export interface Membership {
  group_uuid: string;
  user_uuid: string;
}

/**
 * For whose groups a device counts. A server from before there were groups may still run and write only the owner; who is from outside is in
 * none of the groups.
 */
export const countedFor = sql<string>`coalesce(instances.allocated_to, instances.owner_uuid)`;

export const listGroups = (db: Database, organization: string): Promise<GroupRow[]> =>
  db
    .selectFrom("groups")
    .selectAll()
    .where("organization_uuid", "=", organization)
    .orderBy(sql`lower(name)`)
    .execute();

/** How many people each group of an organization has, and the first `shown` of them by e-mail address. Groups of nobody are missing. */
export async function countUsers(
  db: Database,
  organization: string,
  shown: number,
): Promise<Map<string, { user_count: number; users: Person[] }>> {
  const { rows } = await sql<{ group_uuid: string; user_count: number; users: Person[] }>`
    SELECT group_uuid, max(place) AS user_count,
      json_agg(json_build_object('uuid', uuid, 'email', email, 'first_name', first_name, 'last_name', last_name)
        ORDER BY place) FILTER (WHERE place <= ${shown}) AS users
    FROM (
      SELECT group_users.group_uuid, users.uuid, email, first_name, last_name,
        row_number() OVER (PARTITION BY group_users.group_uuid ORDER BY email) AS place
      FROM groups
        JOIN group_users ON group_users.group_uuid = groups.uuid
        JOIN users ON users.uuid = group_users.user_uuid
      WHERE groups.organization_uuid = ${organization}
    ) AS member
    GROUP BY group_uuid`.execute(db);
  return new Map(rows.map(({ group_uuid, ...counted }) => [group_uuid, counted]));
}

/** The devices that count for a group by the people in the group itself. */
export async function findCountedDevices(
  db: Database,
  organization: string,
): Promise<{ group_uuid: string; uuid: string }[]> {
  return db
    .selectFrom("instances")
    .innerJoin("group_users", (join) => join.on("group_users.user_uuid", "=", countedFor))
    .select(["group_users.group_uuid", "instances.uuid"])
    .where("instances.organization_uuid", "=", organization)
    .where(runs)
    .execute();
}

/** A group that was asked for by a name; `key` is the same for all names that are one to groups. */
export interface NamedGroup {
  given: string;
  key: string;
  /** Null if there is none, and so its own name. */
  uuid: string | null;
  name: string | null;
}

/** Finds groups by their names, in the order of these. */
export async function findGroupsNamed(
  db: Database,
  organization: string,
  names: readonly string[],
): Promise<NamedGroup[]> {
  const { rows } = await sql<NamedGroup>`
    SELECT given, lower(given) AS key, groups.uuid, groups.name
    FROM unnest(${names}::text[]) WITH ORDINALITY AS asked (given, place)
      LEFT JOIN groups ON organization_uuid = ${organization} AND lower(groups.name) = lower(given)
    ORDER BY place`.execute(db);
  return rows;
}

export async function insertGroup(trx: Database, ...rows: Insertable<GroupTable>[]): Promise<void> {
  await trx.insertInto("groups").values(rows).execute();
}

export async function updateGroup(trx: Database, uuid: string, fields: Updateable<GroupTable>): Promise<void> {
  await trx.updateTable("groups").set(fields).where("uuid", "=", uuid).execute();
}

/** No group is an organization's default any more. */
export async function clearDefault(trx: Database, organization: string): Promise<void> {
  await trx
    .updateTable("groups")
    .set({ is_default: false })
    .where("organization_uuid", "=", organization)
    .where("is_default", "=", true)
    .execute();
}

/** Deletes a group; its subgroups stand below its parent then, and its people are in `heir`. */
export async function deleteGroup(trx: Database, { uuid, parent_uuid }: GroupRow, heir: string | null): Promise<void> {
  // Whoever is joining it has joined before its people are copied.
  await trx.selectFrom("groups").select("uuid").where("uuid", "=", uuid).forUpdate().execute();
  if (heir !== null)
    await trx
      .insertInto("group_users")
      .columns(["group_uuid", "user_uuid"])
      .expression((from) =>
        from
          .selectFrom("group_users")
          .select(({ val }) => [sql<string>`${val(heir)}::uuid`.as("group_uuid"), "user_uuid"])
          .where("group_uuid", "=", uuid),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  await trx.updateTable("groups").set({ parent_uuid }).where("parent_uuid", "=", uuid).execute();
  await trx.deleteFrom("groups").where("uuid", "=", uuid).execute();
}

/** Which of these people belong to an organization. They do not leave it until the transaction ends. */
export async function findMembers(trx: Database, organization: string, uuids: readonly string[]): Promise<Set<string>> {
  const rows = await trx
    .selectFrom("users")
    .select("uuid")
    .where("organization_uuid", "=", organization)
    .where("uuid", "in", uuids)
    .forShare()
    .execute();
  return new Set(rows.map(({ uuid }) => uuid));
}

/** Returns those that were not there before. */
export const insertMemberships = (trx: Database, memberships: readonly Membership[]): Promise<Membership[]> =>
  trx
    .insertInto("group_users")
    .values(memberships)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .execute();

/** Those of these that are there. */
export async function findMemberships(db: Database, memberships: readonly Membership[]): Promise<Membership[]> {
  const { rows } = await sql<Membership>`
    SELECT group_users.group_uuid, group_users.user_uuid FROM group_users JOIN
      unnest(${memberships.map(({ group_uuid }) => group_uuid)}::uuid[], ${memberships.map(({ user_uuid }) => user_uuid)}::uuid[])
      AS asked (group_uuid, user_uuid)
    ON group_users.group_uuid = asked.group_uuid AND group_users.user_uuid = asked.user_uuid`.execute(db);
  return rows;
}

/** Returns those that were there. */
export async function deleteMemberships(trx: Database, memberships: readonly Membership[]): Promise<Membership[]> {
  const { rows } = await sql<Membership>`
    DELETE FROM group_users USING
      unnest(${memberships.map(({ group_uuid }) => group_uuid)}::uuid[], ${memberships.map(({ user_uuid }) => user_uuid)}::uuid[])
      AS gone (group_uuid, user_uuid)
    WHERE group_users.group_uuid = gone.group_uuid AND group_users.user_uuid = gone.user_uuid
    RETURNING group_users.group_uuid, group_users.user_uuid`.execute(trx);
  return rows;
}

/** Puts somebody into the default group of an organization, if it has one. */
export async function insertIntoDefault(trx: Database, organization: string, user: string): Promise<void> {
  await sql`
    WITH noted AS (UPDATE users SET has_joined_groups = true WHERE uuid = ${user})
    INSERT INTO group_users (group_uuid, user_uuid)
    SELECT uuid, ${user} FROM groups WHERE organization_uuid = ${organization} AND is_default
    ON CONFLICT DO NOTHING`.execute(trx);
}

/** Organizations without any group, or with members who never joined their groups. */
export async function findWithoutGroups(db: Database): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    SELECT uuid FROM organizations WHERE NOT EXISTS (SELECT FROM groups WHERE organization_uuid = organizations.uuid)
    UNION SELECT organization_uuid FROM users WHERE organization_uuid IS NOT NULL AND NOT has_joined_groups`.execute(
    db,
  );
  return rows.map(({ uuid }) => uuid);
}

/** Puts members who never joined the groups of an organization into its default group, unless they were put into another. Returns those. */
export async function insertLateMembers(trx: Database, organization: string): Promise<Membership[]> {
  const { rows } = await sql<Membership>`
    WITH late AS (
      UPDATE users SET has_joined_groups = true WHERE organization_uuid = ${organization} AND NOT has_joined_groups
      RETURNING uuid
    )
    INSERT INTO group_users (group_uuid, user_uuid)
    SELECT groups.uuid, late.uuid FROM groups CROSS JOIN late
    WHERE organization_uuid = ${organization} AND is_default
      AND NOT EXISTS (SELECT FROM group_users WHERE user_uuid = late.uuid)
    ON CONFLICT DO NOTHING RETURNING group_uuid, user_uuid`.execute(trx);
  return rows;
}

/** For whose groups a device counts: who starts it, or for somebody from outside the owner of the recipe that was shared with them. */
export interface Counted {
  organization_uuid: string;
  user_uuid: string;
}

/** Groups that have as many devices as they are allocated, among those that these people are in and those above them. */
export async function findFullGroups(
  db: Database,
  people: readonly Counted[],
): Promise<(Counted & { uuid: string; group_allocation: number })[]> {
  const { rows } = await sql<Counted & { uuid: string; group_allocation: number }>`
    WITH RECURSIVE above AS (
      SELECT asked.user_uuid, groups.organization_uuid, groups.uuid, parent_uuid, group_allocation
      FROM unnest(${people.map((each) => each.organization_uuid)}::uuid[], ${people.map((each) => each.user_uuid)}::uuid[])
        AS asked (organization_uuid, user_uuid)
      JOIN group_users USING (user_uuid)
      JOIN groups ON groups.uuid = group_uuid AND groups.organization_uuid = asked.organization_uuid
      UNION
      SELECT user_uuid, groups.organization_uuid, groups.uuid, groups.parent_uuid, groups.group_allocation
      FROM groups JOIN above ON groups.uuid = above.parent_uuid
    ), "full" AS (
      SELECT uuid FROM (SELECT DISTINCT uuid, organization_uuid, group_allocation FROM above WHERE group_allocation IS NOT NULL) AS limited
      WHERE group_allocation <= (
        WITH RECURSIVE below AS (
          SELECT limited.uuid UNION ALL SELECT groups.uuid FROM groups JOIN below ON groups.parent_uuid = below.uuid
        )
        SELECT count(*) FROM instances
        WHERE organization_uuid = limited.organization_uuid AND ${runs} AND EXISTS (
          SELECT FROM group_users JOIN below ON below.uuid = group_uuid WHERE user_uuid = ${countedFor}
        )
      )
    )
    SELECT organization_uuid, user_uuid, uuid, group_allocation FROM above JOIN "full" USING (uuid)`.execute(db);
  return rows;
}
