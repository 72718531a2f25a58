import type { PlanRequestKind, PlanRequestState } from "@terrarium/contract";
import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Database } from "../../database/schema.ts";
import { likeText } from "../../platform/db/like-text.ts";
import type { Rows, Window } from "../../platform/http/pages.ts";
import type { PlanRequestTable } from "./trials.tables.ts";

export { hasRunningPlan } from "../billing/subscriptions.store.ts";
export { findManagers, lockOrganization } from "../organizations/organizations.store.ts";

export type PlanRequestRow = Selectable<PlanRequestTable> & { organization_name: string; asked_by: string };

export async function insertRequest(trx: Database, row: Insertable<PlanRequestTable>): Promise<void> {
  await trx.insertInto("plan_requests").values(row).execute();
}

/** What an organization has asked for and was not refused, the latest first. */
export const standingRequests = (db: Database, organization: string): Promise<Selectable<PlanRequestTable>[]> =>
  db
    .selectFrom("plan_requests")
    .selectAll()
    .where("organization_uuid", "=", organization)
    .where("state", "<>", "REJECTED")
    .orderBy("requested_at", "desc")
    .execute();

const named = (db: Database) =>
  db
    .selectFrom("plan_requests")
    .innerJoin("organizations", "organizations.uuid", "plan_requests.organization_uuid")
    .innerJoin("users", "users.uuid", "plan_requests.user_uuid");

export interface RequestFilter {
  /** A part of the organization's name, or of an address. */
  search?: string | undefined;
  kind?: PlanRequestKind[] | undefined;
  state?: PlanRequestState[] | undefined;
}

/** A page of the requests, the latest first. */
export async function listRequests(
  db: Database,
  { search, kind, state }: RequestFilter,
  { limit, offset }: Window,
): Promise<Rows<PlanRequestRow>> {
  let query = named(db);
  if (kind) query = query.where("kind", "in", kind);
  if (state) query = query.where("state", "in", state);
  if (search) {
    const like = `%${likeText(search)}%`;
    query = query.where((where) =>
      where.or([
        where("organizations.name", "ilike", like),
        where("users.email", "ilike", like),
        where(sql<string>`form ->> 'email'`, "ilike", like),
      ]),
    );
  }
  const { count } = await query.select((select) => select.fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  const results = await query
    .selectAll("plan_requests")
    .select(["organizations.name as organization_name", "users.email as asked_by"])
    .orderBy("requested_at", "desc")
    .orderBy("plan_requests.uuid")
    .limit(limit)
    .offset(offset)
    .execute();
  return { count, results };
}

export const findRequest = (db: Database, uuid: string): Promise<PlanRequestRow | undefined> =>
  named(db)
    .selectAll("plan_requests")
    .select(["organizations.name as organization_name", "users.email as asked_by"])
    .where("plan_requests.uuid", "=", uuid)
    .executeTakeFirst();

/** The trial that an organization asked for last; one that was approved stays the last. */
export const findTrial = (db: Database, organization: string): Promise<Selectable<PlanRequestTable> | undefined> =>
  db
    .selectFrom("plan_requests")
    .selectAll()
    .where("organization_uuid", "=", organization)
    .where("kind", "<>", "premium")
    .orderBy("requested_at", "desc")
    .executeTakeFirst();

export async function updateRequest(trx: Database, uuid: string, change: Updateable<PlanRequestTable>): Promise<void> {
  await trx.updateTable("plan_requests").set(change).where("uuid", "=", uuid).execute();
}
