import type { Ordering, UserStatus } from "@terrarium/contract";
import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Database, Schema } from "../../database/schema.ts";
import type { Rows, Window } from "../../platform/http/pages.ts";
import type { UserRow } from "./user-row.ts";
import type { UserTable } from "./users.tables.ts";
import { likeText } from "../../platform/db/like-text.ts";

/** Users as `UserRow` describes them. */
const usersWithOrganization = (db: Database) =>
  db
    .selectFrom("users")
    .leftJoin("organizations", "organizations.uuid", "users.organization_uuid")
    .selectAll("users")
    .select("organizations.name as organization_name")
    .select(
      sql<UserRow["groups"]>`(
        SELECT coalesce(json_agg(json_build_object('uuid', groups.uuid, 'name', groups.name) ORDER BY lower(groups.name)), '[]')
        FROM group_users JOIN groups ON groups.uuid = group_users.group_uuid WHERE group_users.user_uuid = users.uuid
      )`.as("groups"),
    );

export const findUserByEmail = (db: Database, email: string): Promise<UserRow | undefined> =>
  usersWithOrganization(db).where("users.email", "=", email).executeTakeFirst();

export const findUser = (db: Database, uuid: string): Promise<UserRow | undefined> =>
  usersWithOrganization(db).where("users.uuid", "=", uuid).executeTakeFirst();

/** A user whose rows nobody else changes until the transaction ends. */
export type LockedUser = Pick<
  Selectable<UserTable>,
  | "uuid"
  | "organization_uuid"
  | "is_organization_manager"
  | "is_operator"
  | "is_enabled"
  | "disabled_by"
  | "is_validated"
  | "first_name"
  | "last_name"
>;

const locked = (trx: Database) =>
  trx
    .selectFrom("users")
    .select([
      "uuid",
      "organization_uuid",
      "is_organization_manager",
      "is_operator",
      "is_enabled",
      "disabled_by",
      "is_validated",
      "first_name",
      "last_name",
    ])
    .forUpdate();

export const lockUserByEmail = (trx: Database, email: string): Promise<LockedUser | undefined> =>
  locked(trx).where("email", "=", email).executeTakeFirst();

export const lockUsers = (trx: Database, uuids: readonly string[]): Promise<LockedUser[]> =>
  locked(trx).where("uuid", "in", uuids).orderBy("uuid").execute();

/** Nobody else changes the user until the transaction ends. */
export async function lockUser(trx: Database, uuid: string): Promise<void> {
  await trx.selectFrom("users").select("uuid").where("uuid", "=", uuid).forUpdate().execute();
}

/** Replaces a user's password if it has the hash `former`; returns whether it had. Nobody else changes the user until the transaction ends. */
export async function replacePasswordHash(
  trx: Database,
  uuid: string,
  { former, password_hash }: { former: string; password_hash: string },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("users")
    .set({ password_hash })
    .where("uuid", "=", uuid)
    .where("password_hash", "=", former)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function updateUser(db: Database, uuid: string, fields: Updateable<UserTable>): Promise<void> {
  await db.updateTable("users").set(fields).where("uuid", "=", uuid).execute();
}

export interface UserFilter {
  organization: string;
  /** Whether those are listed as well who are invited to it. */
  withInvited?: boolean | undefined;
  /** Uuids of people outside of it who are listed as well. */
  guests?: string[] | undefined;
  /** Only those in this group. */
  group?: string | undefined;
  search?: string | undefined;
  searchField?: "email" | "first_name" | "last_name" | undefined;
  /** Only these, by e-mail address or uuid. */
  only?: { field: "email" | "uuid"; values: string[] } | undefined;
  status?: UserStatus[] | undefined;
  ordering: Ordering<"created_at" | "email" | "first_name" | "last_name">[];
}

/** A user as listed; one who is invited has the uuid of the invitation. */
export type ListedRow = UserRow & {
  invitation: Pick<Selectable<Schema["invitations"]>, "sent_at" | "expires_at" | "mail_uuid"> | null;
};

/** Sorts and counts by what filters and order need, and only then reads what is shown of the page's rows. */
export async function listUsers(db: Database, filter: UserFilter, { limit, offset }: Window): Promise<Rows<ListedRow>> {
  const query = listed(db, filter);
  const keys = await filter.ordering
    .reduce((rows, { field, descending }) => rows.orderBy(field, descending ? "desc" : "asc"), query.select("uuid"))
    .orderBy("email")
    .limit(limit)
    .offset(offset)
    .execute();
  const { count } = await query.select((select) => select.fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  return {
    count,
    results: await findListed(
      db,
      filter,
      keys.map(({ uuid }) => uuid),
    ),
  };
}

/** What users, and people who are invited, are sought and sorted by. */
function listed(db: Database, filter: UserFilter) {
  const { search, only, status, group, guests = [] } = filter;
  const joined = db
    .selectFrom("users")
    .select(["uuid", "created_at", "email", "first_name", "last_name"])
    .select(
      sql<UserStatus>`CASE WHEN NOT is_validated THEN 'pending' WHEN is_enabled THEN 'enabled' ELSE 'disabled' END`.as(
        "status",
      ),
    )
    .where((where) =>
      where.or([
        where("organization_uuid", "=", filter.organization),
        ...(guests.length > 0 ? [where("uuid", "in", guests)] : []),
      ]),
    );
  const invited = db
    .selectFrom("invitations")
    .select(["uuid", "created_at", "email", sql<string>`''`.as("first_name"), sql<string>`''`.as("last_name")])
    .select(sql<UserStatus>`'pending'`.as("status"))
    .where("organization_uuid", "=", filter.organization)
    // Who has joined in another way since.
    .where("email", "not in", (of) =>
      of.selectFrom("users").select("email").where("organization_uuid", "=", filter.organization),
    );
  let query = db.selectFrom((filter.withInvited ? joined.unionAll(invited) : joined).as("listed"));
  if (search) {
    const fields = filter.searchField ? [filter.searchField] : (["email", "first_name", "last_name"] as const);
    query = query.where((where) => where.or(fields.map((field) => where(field, "ilike", `%${likeText(search)}%`))));
  }
  if (only?.field === "email")
    query = query.where(
      "email",
      "in",
      only.values.map((email) => email.toLowerCase()),
    );
  if (only?.field === "uuid") query = query.where((where) => where.cast<string>("uuid", "text"), "in", only.values);
  if (group !== undefined)
    query = query.where("uuid", "in", (of) =>
      of.selectFrom("group_users").select("user_uuid").where("group_uuid", "=", group),
    );
  if (status) query = query.where("status", "in", status);
  return query;
}

/** These users and people who are invited, in this order. */
async function findListed(
  db: Database,
  { organization, withInvited }: UserFilter,
  uuids: readonly string[],
): Promise<ListedRow[]> {
  if (uuids.length === 0) return [];
  const rows = new Map<string, ListedRow>();
  for (const row of await usersWithOrganization(db).where("users.uuid", "in", uuids).execute())
    rows.set(row.uuid, { ...row, invitation: null });
  if (withInvited && rows.size < uuids.length)
    for (const row of await findInvited(db, organization, uuids)) rows.set(row.uuid, row);
  return uuids.flatMap((uuid) => rows.get(uuid) ?? []);
}

/** People who are invited, shown as the users that they are going to be, without anything of an account that they have elsewhere. */
async function findInvited(db: Database, organization: string, uuids: readonly string[]): Promise<ListedRow[]> {
  const rows = await db
    .selectFrom("invitations")
    .innerJoin("organizations", "organizations.uuid", "invitations.organization_uuid")
    .selectAll("invitations")
    .select("organizations.name as organization_name")
    .where("organization_uuid", "=", organization)
    .where("invitations.uuid", "in", uuids)
    .execute();
  return rows.map(({ uuid, email, organization_uuid, organization_name, created_at, ...invitation }) => ({
    uuid,
    email,
    first_name: "",
    last_name: "",
    password_hash: null,
    organization_uuid,
    organization_name,
    is_organization_manager: false,
    is_operator: false,
    is_enabled: true,
    disabled_by: null,
    is_validated: false,
    has_joined_groups: false,
    tnc_accepted_at: null,
    front_preferences: {},
    created_at,
    groups: [],
    last_sign_in_at: null,
    deletion_notice_mail: null,
    deletion_notice_at: null,
    deleted_at: null,
    invitation,
  }));
}

export async function insertUser(db: Database, row: Insertable<UserTable>): Promise<void> {
  await db.insertInto("users").values(row).execute();
}

/** Returns false if they were accepted before. */
export async function setTermsAccepted(db: Database, uuid: string, tnc_accepted_at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("users")
    .set({ tnc_accepted_at })
    .where("uuid", "=", uuid)
    .where("tnc_accepted_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
