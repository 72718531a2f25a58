import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { Rows } from "../../platform/http/pages.ts";
import type { LockedUser } from "../users/users.store.ts";
import type { Filter } from "./scim-filter.ts";
import { ScimError } from "./scim-error.ts";

/** A page as the protocol counts: from 1, of `count` at most. */
export interface ScimPage {
  startIndex: number;
  count: number;
}

/** A member of an organization, as its directory sees them. */
export interface DirectoryUser extends LockedUser {
  email: string;
  created_at: Date;
  /** Their address, unless the directory calls them something else. */
  user_name: string;
  external_id: string | null;
  /** Null if the directory has changed nothing. */
  changed_at: Date | null;
  removed_at: Date | null;
}

const userName = sql<string>`coalesce(directory_users.user_name, users.email)`;

const people = (db: Database) =>
  db
    .selectFrom("users")
    .leftJoin("directory_users", "directory_users.user_uuid", "users.uuid")
    .select([
      "users.uuid",
      "email",
      "first_name",
      "last_name",
      "is_enabled",
      "disabled_by",
      "is_validated",
      "is_organization_manager",
      "is_operator",
      "organization_uuid",
      "users.created_at",
      "external_id",
      "changed_at",
      "removed_at",
    ])
    .select(userName.as("user_name"));

/** Those of an organization whom its directory has not removed, or whom a manager has enabled again since. */
const present = (db: Database, organization: string) =>
  people(db)
    .where("organization_uuid", "=", organization)
    .where((where) => where.or([where("removed_at", "is", null), where("is_enabled", "=", true)]));

/** Nobody else changes them until the transaction ends, if `lock`. */
export const findDirectoryUser = (
  db: Database,
  organization: string,
  uuid: string,
  { lock = false } = {},
): Promise<DirectoryUser | undefined> => {
  const query = present(db, organization).where("users.uuid", "=", uuid);
  return (lock ? query.forUpdate("users") : query).executeTakeFirst();
};

/** Whoever has an address, in whichever organization. Nobody else changes them until the transaction ends. */
export const lockByEmail = (trx: Database, email: string): Promise<DirectoryUser | undefined> =>
  people(trx).where("email", "=", email).forUpdate("users").executeTakeFirst();

/** Whether the directory calls somebody else by this name, in any case. */
export async function isNameTaken(
  trx: Database,
  organization: string,
  name: string,
  except: string | undefined,
): Promise<boolean> {
  const others = present(trx, organization).where(isCalled(name));
  const row = await (except === undefined ? others : others.where("users.uuid", "!=", except))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** In two parts, each of which is found by an index. */
const isCalled = (name: string) => sql<boolean>`(lower(${userName}) = ${name.toLowerCase()} AND users.uuid IN (
  SELECT user_uuid FROM directory_users WHERE lower(user_name) = ${name.toLowerCase()}
  UNION ALL SELECT uuid FROM users WHERE email = ${name.toLowerCase()}))`;

const never = sql<boolean>`false`;
const isUuid = (value: string) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value);

type Condition = RawBuilder<boolean>;

/** What each attribute is compared with. */
const userConditions: Record<string, (value: string | boolean) => Condition> = {
  id: (value) => (isUuid(String(value)) ? sql`users.uuid = ${value}::uuid` : never),
  username: (value) => isCalled(String(value)),
  externalid: (value) => sql`directory_users.external_id = ${String(value)}`,
  emails: (value) => sql`users.email = ${String(value).toLowerCase()}`,
  "emails.value": (value) => sql`users.email = ${String(value).toLowerCase()}`,
  "emails.type": (value) => (String(value).toLowerCase() === "work" ? sql`true` : never),
  "emails.primary": (value) => (value === true ? sql`true` : never),
  active: (value) => (typeof value === "boolean" ? sql`users.is_enabled = ${value}` : never),
  "name.givenname": (value) => sql`lower(users.first_name) = lower(${String(value)})`,
  "name.familyname": (value) => sql`lower(users.last_name) = lower(${String(value)})`,
};

const groupConditions: typeof userConditions = {
  id: (value) => (isUuid(String(value)) ? sql`groups.uuid = ${value}::uuid` : never),
  displayname: (value) => sql`lower(groups.name) = lower(${String(value)})`,
  externalid: (value) => sql`directory_groups.external_id = ${String(value)}`,
  members: (value) =>
    isUuid(String(value))
      ? sql`EXISTS (SELECT FROM group_users WHERE group_uuid = groups.uuid AND user_uuid = ${value}::uuid)`
      : never,
};
groupConditions["members.value"] = (value) => groupConditions["members"]?.(value) ?? never;

function conditionOf(filter: Filter, conditions: typeof userConditions): Condition {
  if (filter.op === "eq") {
    const condition = Object.hasOwn(conditions, filter.attribute) ? conditions[filter.attribute] : undefined;
    if (condition) return condition(filter.value);
    const known = Object.keys(conditions).join(", ");
    throw new ScimError(400, "invalidFilter", `“${filter.attribute}” cannot be filtered by. These can: ${known}.`);
  }
  const parts = filter.filters.map((inner) => sql`(${conditionOf(inner, conditions)})`);
  return sql<boolean>`(${sql.join(parts, filter.op === "and" ? sql` AND ` : sql` OR `)})`;
}

/** One page of what a query finds, and how many there are in all. */
async function pageOf<DB, Tables extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Tables, Row>,
  { startIndex, count }: ScimPage,
): Promise<Rows<Row>> {
  const offset = startIndex - 1;
  const results = count === 0 ? [] : await query.limit(count).offset(offset).execute();
  const total = await query
    .clearSelect()
    .clearOrderBy()
    .select((select) => select.fn.countAll<number>().as("count"))
    .$castTo<{ count: number }>()
    .executeTakeFirstOrThrow();
  return { count: total.count, results };
}

/** The people of an organization, in the order in which they came. @throws ScimError invalidFilter */
export async function listDirectoryUsers(
  db: Database,
  organization: string,
  filter: Filter | undefined,
  page: ScimPage,
): Promise<Rows<DirectoryUser>> {
  const query = present(db, organization).orderBy("users.created_at").orderBy("users.uuid");
  return pageOf(filter ? query.where(conditionOf(filter, userConditions)) : query, page);
}

/** Whether anybody but this person manages an organization, and can. */
export async function hasOtherManager(trx: Database, organization: string, user: string): Promise<boolean> {
  const row = await trx
    .selectFrom("users")
    .select("uuid")
    .where("organization_uuid", "=", organization)
    .where("uuid", "!=", user)
    .where("is_organization_manager", "=", true)
    .where("is_enabled", "=", true)
    .where("is_validated", "=", true)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function upsertDirectoryUser(
  trx: Database,
  row: {
    user_uuid: string;
    user_name: string;
    external_id: string | null;
    changed_at: Date;
    removed_at: Date | null;
  },
): Promise<void> {
  const { user_uuid: _, ...fields } = row;
  await trx
    .insertInto("directory_users")
    .values(row)
    .onConflict((conflict) => conflict.column("user_uuid").doUpdateSet(fields))
    .execute();
}

/** The groups that these people are in. */
export const findGroupsOf = (
  db: Database,
  users: readonly string[],
): Promise<{ user_uuid: string; uuid: string; name: string }[]> =>
  users.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom("group_users")
        .innerJoin("groups", "groups.uuid", "group_users.group_uuid")
        .select(["user_uuid", "uuid", "name"])
        .where("user_uuid", "in", users)
        .orderBy(sql`lower(name)`)
        .execute();

export interface DirectoryGroup {
  uuid: string;
  name: string;
  external_id: string | null;
  created_at: Date;
  changed_at: Date | null;
}

const groups = (db: Database, organization: string) =>
  db
    .selectFrom("groups")
    .leftJoin("directory_groups", "directory_groups.group_uuid", "groups.uuid")
    .select(["groups.uuid", "name", "external_id", "created_at", "changed_at"])
    .where("organization_uuid", "=", organization);

export const findDirectoryGroup = (
  db: Database,
  organization: string,
  uuid: string,
): Promise<DirectoryGroup | undefined> => groups(db, organization).where("groups.uuid", "=", uuid).executeTakeFirst();

/** The groups of an organization, in the order in which they were made. @throws ScimError invalidFilter */
export async function listDirectoryGroups(
  db: Database,
  organization: string,
  filter: Filter | undefined,
  page: ScimPage,
): Promise<Rows<DirectoryGroup>> {
  const query = groups(db, organization).orderBy("created_at").orderBy("groups.uuid");
  return pageOf(filter ? query.where(conditionOf(filter, groupConditions)) : query, page);
}

/** The people of a group whom the directory sees, in the order of their addresses. */
export const findMembersOf = (db: Database, organization: string, uuid: string): Promise<{ uuid: string }[]> =>
  membersOf(db, organization, [uuid]).execute();

/** This many of the people of these groups, group by group in the given order. */
export const findMembersOfEach = (
  db: Database,
  organization: string,
  uuids: readonly string[],
  limit: number,
): Promise<{ group_uuid: string; uuid: string }[]> =>
  uuids.length === 0
    ? Promise.resolve([])
    : membersOf(db, organization, uuids)
        .clearOrderBy()
        .orderBy(sql`array_position(${uuids}::uuid[], group_uuid)`)
        .orderBy("email")
        .limit(limit)
        .execute();

const membersOf = (db: Database, organization: string, uuids: readonly string[]) =>
  present(db, organization)
    .innerJoin("group_users", "group_users.user_uuid", "users.uuid")
    .clearSelect()
    .select(["group_uuid", "users.uuid"])
    .where("group_uuid", "in", uuids)
    .orderBy("email");

export async function upsertDirectoryGroup(
  trx: Database,
  row: { group_uuid: string; external_id: string | null; changed_at: Date },
): Promise<void> {
  const { group_uuid: _, ...fields } = row;
  await trx
    .insertInto("directory_groups")
    .values(row)
    .onConflict((conflict) => conflict.column("group_uuid").doUpdateSet(fields))
    .execute();
}
