import type { Ordering } from "@terrarium/contract";
import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Database, Schema } from "../../database/schema.ts";
import { likeText } from "../../platform/db/like-text.ts";
import type { Rows, Window } from "../../platform/http/pages.ts";
import { runs } from "../instances/waits.store.ts";

export type OperatedRow = Selectable<Schema["organizations"]> & {
  people: number;
  managers: number;
  running_instances: number;
};

export interface OrganizationFilter {
  /** A part of the name; or a uuid, or the address of one of their people. */
  search?: string | undefined;
  license?: "active" | "inactive" | "expired" | undefined;
  ordering: readonly Ordering<"name" | "created_at">[];
  now: Date;
}

/** Finds the page by the table of organizations alone, and counts what only the rows of the page show. */
export async function listOperated(
  db: Database,
  { search, license, ordering, now }: OrganizationFilter,
  { limit, offset }: Window,
): Promise<Rows<OperatedRow>> {
  let query = db.selectFrom("organizations");
  if (search) {
    query = query.where((where) =>
      where.or([
        where("name", "ilike", `%${likeText(search)}%`),
        where(where.cast<string>("organizations.uuid", "text"), "=", search.toLowerCase()),
        where.exists(
          where
            .selectFrom("users")
            .whereRef("users.organization_uuid", "=", "organizations.uuid")
            .where("email", "=", search.toLowerCase())
            .select("users.uuid"),
        ),
      ]),
    );
  }
  if (license === "inactive")
    query = query.where((where) => where.or([where("license_is_active", "=", false), where("is_unpaid", "=", true)]));
  if (license === "expired") query = query.where("license_expires_at", "<=", now);
  if (license === "active")
    query = query
      .where("license_is_active", "=", true)
      .where("is_unpaid", "=", false)
      .where((where) => where.or([where("license_expires_at", "is", null), where("license_expires_at", ">", now)]));
  const keys = await ordering
    .reduce(
      (rows, { field, descending }) =>
        rows.orderBy(field === "name" ? sql`lower(name)` : field, descending ? "desc" : "asc"),
      query.select("uuid"),
    )
    .orderBy("uuid")
    .limit(limit)
    .offset(offset)
    .execute();
  const { count } = await query.select((select) => select.fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  const found = await findOperated(
    db,
    keys.map(({ uuid }) => uuid),
  );
  return { count, results: keys.flatMap(({ uuid }) => found.get(uuid) ?? []) };
}

/** These organizations, by uuid. */
export async function findOperated(db: Database, uuids: readonly string[]): Promise<Map<string, OperatedRow>> {
  const { rows } = await sql<OperatedRow>`
    SELECT organizations.*,
      (SELECT count(*) FROM users WHERE organization_uuid = organizations.uuid AND deleted_at IS NULL) AS people,
      (SELECT count(*) FROM users WHERE organization_uuid = organizations.uuid AND is_organization_manager
        AND is_enabled AND deleted_at IS NULL) AS managers,
      (SELECT count(*) FROM instances WHERE organization_uuid = organizations.uuid AND ${runs}) AS running_instances
    FROM organizations WHERE uuid = ANY (${uuids}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.uuid, row]));
}

type PersonRow = Pick<
  Selectable<Schema["users"]>,
  | "uuid"
  | "email"
  | "first_name"
  | "last_name"
  | "is_organization_manager"
  | "is_enabled"
  | "is_validated"
  | "last_sign_in_at"
> & { has_second_factor: boolean };

/** The people of an organization. */
export async function listPeople(
  db: Database,
  {
    organization,
    search,
    ordering,
  }: {
    organization: string;
    search?: string | undefined;
    ordering: readonly Ordering<"email" | "created_at" | "last_sign_in_at">[];
  },
  { limit, offset }: Window,
): Promise<Rows<PersonRow>> {
  const like = search && `%${likeText(search)}%`;
  const where = sql`organization_uuid = ${organization} AND deleted_at IS NULL
    ${like ? sql`AND (email ILIKE ${like} OR first_name ILIKE ${like} OR last_name ILIKE ${like})` : sql``}`;
  const order = sql.join(
    [
      ...ordering.map(
        ({ field, descending }): RawBuilder<unknown> =>
          sql`${sql.ref(field)} ${sql.raw(descending ? "DESC NULLS LAST" : "ASC NULLS LAST")}`,
      ),
      sql`uuid`,
    ],
    sql`, `,
  );
  const counted = await sql<{ count: number }>`SELECT count(*) AS count FROM users WHERE ${where}`.execute(db);
  const { rows } = await sql<PersonRow>`
    SELECT uuid, email, first_name, last_name, is_organization_manager, is_enabled, is_validated, last_sign_in_at,
      EXISTS (SELECT FROM totp_factors WHERE user_uuid = users.uuid)
        OR EXISTS (SELECT FROM passkeys WHERE user_uuid = users.uuid) AS has_second_factor
    FROM users WHERE ${where} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`.execute(db);
  return { count: counted.rows[0]?.count ?? 0, results: rows };
}

/** The address of a customer's person; undefined for an operator, and for somebody who is gone. */
export async function findCustomer(db: Database, uuid: string): Promise<string | undefined> {
  const row = db.selectFrom("users").select("email").where("uuid", "=", uuid).where("is_operator", "=", false);
  return (await row.where("deleted_at", "is", null).executeTakeFirst())?.email;
}
