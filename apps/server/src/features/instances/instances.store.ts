import type { InstanceState, Recipe } from "@terrarium/contract";
import { type Selectable, sql } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { InstanceTable, ShownSnapshot } from "./instances.tables.ts";

/** A device as its table has it. */
export type InstanceFields = Selectable<InstanceTable>;

/** A device with what replies show of its owner and its recipe. */
export interface InstanceRow extends Omit<
  InstanceFields,
  "snapshot" | "allocated_to" | "zone" | "is_warm" | "made_hash" | "may_queue"
> {
  snapshot: ShownSnapshot;
  owner_email: string;
  owner_first_name: string;
  owner_last_name: string;
  recipe_name: string | null;
  recipe_status: Recipe["status"] | null;
  recipe_revision: number | null;
  recipe_is_official: boolean | null;
  recipe_organization_uuid: string | null;
  recipe_owner_uuid: string | null;
  recipe_owner_email: string | null;
  recipe_owner_first_name: string | null;
  recipe_owner_last_name: string | null;
}

/** What a device's answer is made of. */
export type ShownInstance = Pick<
  InstanceRow,
  | "uuid"
  | "name"
  | "owner_uuid"
  | "recipe_uuid"
  | "snapshot"
  | "state"
  | "revision"
  | "reason"
  | "timeout_inactivity"
  | "timeout_global"
  | "created_at"
  | "updated_at"
  | "online_at"
  | "ran_ms"
  | "idle_ms"
  | "measured_at"
  | "kept_until_ms"
  | "budget_stops_at"
  | "cover_stops_at"
  | "cover_stops_because"
  | `queue${"d_at" | "_place" | "_starts_at"}`
  | "can_save"
  | "save"
  | `owner_${"email" | "first_name" | "last_name"}`
  | `recipe_${"name" | "status" | "revision" | "is_official" | "organization_uuid"}`
  | `recipe_owner_${"uuid" | "email" | "first_name" | "last_name"}`
>;

/** Named one by one rather than all of the table, so that the prepared statement stays valid. */
const columns = [
  "instances.uuid",
  "instances.name",
  "instances.owner_uuid",
  "instances.organization_uuid",
  "instances.recipe_uuid",
  sql<ShownSnapshot>`instances.snapshot #- '{osImage,layers}'`.as("snapshot"),
  "instances.state",
  "instances.revision",
  "instances.reason",
  "instances.boot",
  "instances.timeout_inactivity",
  "instances.timeout_global",
  "instances.created_at",
  "instances.updated_at",
  "instances.online_at",
  "instances.ran_ms",
  "instances.idle_ms",
  "instances.measured_at",
  "instances.kept_until_ms",
  "instances.budget_stops_at",
  "instances.cover_stops_at",
  "instances.cover_stops_because",
  "instances.ended_at",
  "instances.lease_holder",
  "instances.lease_epoch",
  "instances.place",
  "instances.machine",
  "instances.queued_at",
  "instances.queue_place",
  "instances.queue_starts_at",
  "instances.can_save",
  "instances.save",
] as const;

/** What the event of a change is made of. */
export const changeColumns = [
  "uuid",
  "owner_uuid",
  "organization_uuid",
  "name",
  "state",
  "revision",
  "reason",
  "created_at",
  "updated_at",
  "online_at",
  "ran_ms",
  "idle_ms",
  "measured_at",
  "kept_until_ms",
  "budget_stops_at",
  "cover_stops_at",
  "cover_stops_because",
  "queued_at",
  "queue_place",
  "queue_starts_at",
  "timeout_inactivity",
  "timeout_global",
  "can_save",
  "save",
] as const;

/**
 * Whether the owner of a device may use its recipe. A recipe that is no longer shared with them is unknown to them, as it may have
 * changed since they started the device.
 */
export const isKnownToOwner = `(recipe.is_official OR recipe.organization_uuid = owner.organization_uuid
  OR EXISTS (SELECT FROM share_recipients AS shared WHERE shared.recipe_uuid = recipe.uuid
    AND (shared.user_uuid = owner.uuid OR shared.organization_uuid = owner.organization_uuid)))`;

const instanceRows = (db: Database) =>
  db
    .selectFrom("instances")
    .innerJoin("users as owner", "owner.uuid", "instances.owner_uuid")
    .leftJoin("recipes as recipe", (join) =>
      join.onRef("recipe.uuid", "=", "instances.recipe_uuid").on(sql.raw<boolean>(isKnownToOwner)),
    )
    .leftJoin("users as recipe_owner", "recipe_owner.uuid", "recipe.owner_uuid")
    .select(columns)
    .select([
      "owner.email as owner_email",
      "owner.first_name as owner_first_name",
      "owner.last_name as owner_last_name",
      "recipe.name as recipe_name",
      "recipe.status as recipe_status",
      "recipe.revision as recipe_revision",
      "recipe.is_official as recipe_is_official",
      "recipe.organization_uuid as recipe_organization_uuid",
      "recipe_owner.uuid as recipe_owner_uuid",
      "recipe_owner.email as recipe_owner_email",
      "recipe_owner.first_name as recipe_owner_first_name",
      "recipe_owner.last_name as recipe_owner_last_name",
    ]);

export const findInstance = (db: Database, uuid: string): Promise<InstanceRow | undefined> =>
  instanceRows(db).where("instances.uuid", "=", uuid).executeTakeFirst();

export { findLink as findEmbedLink } from "../embed-links/embed-links.store.ts";

/** What somebody is to a device in whose live session they take part; undefined if they do not. */
export const findParticipation = (db: Database, instance: string, user: string) =>
  db
    .selectFrom("live_session_participants")
    .select("can_control")
    .where("instance_uuid", "=", instance)
    .where("user_uuid", "=", user)
    .executeTakeFirst();

/** Whose a device is, how it stands, and whether a credential is a session's: what a viewer's rights are read from. */
export const findState = (db: Database, uuid: string, credential: string) =>
  db
    .selectFrom("instances")
    .select((eb) => [
      "state",
      "owner_uuid",
      "organization_uuid",
      eb
        .exists(eb.selectFrom("sessions").select("sessions.uuid").where("sessions.uuid", "=", credential))
        .as("is_session"),
    ])
    .where("uuid", "=", uuid)
    .executeTakeFirst();

/** The newest device of an owner in one of `states`. */
export const findNewestInstance = (
  db: Database,
  owner: string,
  states: readonly InstanceState[],
): Promise<InstanceRow | undefined> =>
  instanceRows(db)
    .where("instances.owner_uuid", "=", owner)
    .where("instances.state", "in", states)
    .orderBy("instances.created_at", "desc")
    .limit(1)
    .executeTakeFirst();

/** Every device that changed at or after a time. */
export const listChangedSince = (db: Database, since: Date) =>
  db.selectFrom("instances").select(changeColumns).where("updated_at", ">=", since).execute();

/** A person's devices, and those of an organization, that came online or ended at or after a time. Ready ones that were handed out did then. */
export const listSettledSince = (
  db: Database,
  since: Date,
  { owner, organization }: { owner: string; organization: string | null },
) =>
  db
    .selectFrom("instances")
    .select(changeColumns)
    .where((where) =>
      where.or([
        where("ended_at", ">=", since),
        where.and([where("state", "=", "ONLINE"), where("updated_at", ">=", since)]),
      ]),
    )
    .where((where) => where.or([where("owner_uuid", "=", owner), where("organization_uuid", "=", organization)]))
    .execute();

/** Devices that are not over, with what only the operator may know: who looks after them and where they answer adb. */
export const listWithMachines = (db: Database) =>
  db
    .selectFrom("instances")
    .innerJoin("users", "users.uuid", "instances.owner_uuid")
    .select([
      "instances.uuid",
      "instances.name",
      "instances.state",
      "users.email as owner",
      "lease_holder as gateway",
      "machine",
    ])
    .where("state", "<>", "DELETED")
    .orderBy("instances.created_at")
    .execute();

/**
 * Deletes some of the devices that ended before a time, and their history; returns how many. Tables that refer to devices for longer
 * must be excluded here.
 */
export async function deleteSomeEnded(
  db: Database,
  states: readonly InstanceState[],
  before: Date,
  limit: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM instances WHERE uuid IN (
      SELECT uuid FROM instances WHERE ended_at < ${before} AND state = ANY(${states}::text[])
      ORDER BY ended_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`.execute(db);
  return Number(numAffectedRows);
}
