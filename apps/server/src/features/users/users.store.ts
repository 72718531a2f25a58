import type { Ordering } from "@terrarium/contract";
import type { Insertable, Selectable, Updateable } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { Rows, Window } from "../../platform/http/pages.ts";
import type { UserRow } from "./user-row.ts";
import type { UserTable } from "./users.tables.ts";
import { likeText } from "../../platform/db/like-text.ts";

/** Users as `UserRow` describes them. */
export const usersWithOrganization = (db: Database) =>
  db
    .selectFrom("users")
    .leftJoin("organizations", "organizations.uuid", "users.organization_uuid")
    .selectAll("users")
    .select("organizations.name as organization_name");

export const findUserByEmail = (db: Database, email: string): Promise<UserRow | undefined> =>
  usersWithOrganization(db).where("users.email", "=", email).executeTakeFirst();

export const findUser = (db: Database, uuid: string): Promise<UserRow | undefined> =>
  usersWithOrganization(db).where("users.uuid", "=", uuid).executeTakeFirst();

/** A user whose rows nobody else changes until the transaction ends. */
export type LockedUser = Pick<
  Selectable<UserTable>,
  "uuid" | "organization_uuid" | "is_organization_manager" | "is_enabled" | "is_validated"
>;

export const lockUserByEmail = (trx: Database, email: string): Promise<LockedUser | undefined> =>
  trx
    .selectFrom("users")
    .select(["uuid", "organization_uuid", "is_organization_manager", "is_enabled", "is_validated"])
    .where("email", "=", email)
    .forUpdate()
    .executeTakeFirst();

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
  /** Uuids of people outside of it who are listed as well. */
  guests?: string[] | undefined;
  search?: string | undefined;
  searchField?: "email" | "first_name" | "last_name" | undefined;
  /** Only these, by e-mail address or uuid. */
  only?: { field: "email" | "uuid"; values: string[] } | undefined;
  ordering: Ordering<"created_at" | "email" | "first_name" | "last_name">[];
}

export async function listUsers(db: Database, filter: UserFilter, { limit, offset }: Window): Promise<Rows<UserRow>> {
  const { search, only, ordering, guests = [] } = filter;
  let query = usersWithOrganization(db).where((where) =>
    where.or([
      where("users.organization_uuid", "=", filter.organization),
      ...(guests.length > 0 ? [where("users.uuid", "in", guests)] : []),
    ]),
  );
  if (search) {
    const fields = filter.searchField ? [filter.searchField] : (["email", "first_name", "last_name"] as const);
    query = query.where((where) =>
      where.or(fields.map((field) => where(`users.${field}`, "ilike", `%${likeText(search)}%`))),
    );
  }
  if (only?.field === "email")
    query = query.where(
      "users.email",
      "in",
      only.values.map((email) => email.toLowerCase()),
    );
  if (only?.field === "uuid")
    query = query.where((where) => where.cast<string>("users.uuid", "text"), "in", only.values);
  const results = await ordering
    .reduce((rows, { field, descending }) => rows.orderBy(`users.${field}`, descending ? "desc" : "asc"), query)
    .orderBy("users.email")
    .limit(limit)
    .offset(offset)
    .execute();
  const { count } = await query
    .clearSelect()
    .select((select) => select.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return { count, results };
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
