import type { InstanceState, Ordering } from "@terrarium/contract";
import { likeText } from "../../platform/db/like-text.ts";
import type { ListedRow, Lists, ListStatement } from "../../platform/db/lists.ts";
import type { Reads } from "../../platform/db/reads.ts";
import type { Rows, Window } from "../../platform/http/pages.ts";
import { isKnownToOwner, type ShownInstance } from "./instances.store.ts";

export interface InstanceFilter {
  /** One person's devices, or all of an organization. */
  of: { owner: string } | { organization: string };
  states?: InstanceState[] | undefined;
  search?: string | undefined;
  ordering: Ordering<keyof typeof orderColumns>[];
}

const orderColumns = {
  updated_at: "instances.updated_at",
  created_at: "instances.created_at",
  name: "instances.name",
  state: "instances.state",
  owner: "owner.email",
} as const;

/** A device in a list, without its snapshot: that is most of the row and never changes, so `Snapshots` caches it. */
export type ListedInstance = Omit<ShownInstance, "snapshot">;

const columns = {
  uuid: "instances.uuid",
  name: "instances.name",
  owner_uuid: "instances.owner_uuid",
  recipe_uuid: "instances.recipe_uuid",
  state: "instances.state",
  revision: "instances.revision",
  reason: "instances.reason",
  timeout_inactivity: "instances.timeout_inactivity",
  timeout_global: "instances.timeout_global",
  created_at: "instances.created_at",
  updated_at: "instances.updated_at",
  online_at: "instances.online_at",
  ran_ms: "instances.ran_ms",
  idle_ms: "instances.idle_ms",
  measured_at: "instances.measured_at",
  kept_until_ms: "instances.kept_until_ms",
  budget_stops_at: "instances.budget_stops_at",
  cover_stops_at: "instances.cover_stops_at",
  cover_stops_because: "instances.cover_stops_because",
  queued_at: "instances.queued_at",
  queue_place: "instances.queue_place",
  queue_starts_at: "instances.queue_starts_at",
  can_save: "instances.can_save",
  save: "instances.save",
  owner_email: "owner.email",
  owner_first_name: "owner.first_name",
  owner_last_name: "owner.last_name",
  recipe_name: "recipe.name",
  recipe_status: "recipe.status",
  recipe_revision: "recipe.revision",
  recipe_is_official: "recipe.is_official",
  recipe_organization_uuid: "recipe.organization_uuid",
  recipe_owner_uuid: "recipe_owner.uuid",
  recipe_owner_email: "recipe_owner.email",
  recipe_owner_first_name: "recipe_owner.first_name",
  recipe_owner_last_name: "recipe_owner.last_name",
} satisfies Record<keyof ListedInstance, string>;

const withOwner = "instances JOIN users AS owner ON owner.uuid = instances.owner_uuid";

const shown = `${withOwner}
  LEFT JOIN recipes AS recipe ON recipe.uuid = instances.recipe_uuid AND ${isKnownToOwner}
  LEFT JOIN users AS recipe_owner ON recipe_owner.uuid = recipe.owner_uuid`;

/** The state that is not listed is in the text, so that generic plans can use the partial indexes. */
const listed = (whose: "owner_uuid" | "organization_uuid"): string =>
  `instances.state <> 'DELETED' AND instances.${whose} = given.v1::uuid`;

const ofStates = "instances.state = ANY(string_to_array(given.v2, ','))";

/** Owners are searched once, and not again for each of their devices. */
const searched = (devices: string): string => `(instances.name ILIKE given.v3
  OR instances.owner_uuid IN (SELECT uuid FROM users WHERE uuid IN (SELECT owner_uuid FROM instances WHERE ${devices})
    AND (email ILIKE given.v3 OR first_name || ' ' || last_name ILIKE given.v3))
  OR instances.uuid::text LIKE substr(lower(given.v3), 2))`;

/** More than anybody has use for; a caller may name any order. */
const MAX_STATEMENTS = 100;
const statements = new Map<string, ListStatement>();

/** The same for the same kind of filter. */
function statementFor({ of, states, search, ordering }: InstanceFilter): ListStatement {
  const order = ordering.map(({ field, descending }) => `${orderColumns[field]}${descending ? " DESC" : ""}`);
  const orderBy = [...order, "instances.uuid"].join(", ");
  const whose = "owner" in of ? "owner_uuid" : "organization_uuid";
  const key = `${whose} ${states !== undefined} ${Boolean(search)} ${orderBy}`;
  const known = statements.get(key);
  if (known) return known;
  const devices = listed(whose);
  const statement = {
    columns,
    key: "instances.uuid",
    shown,
    found: ordering.some(({ field }) => field === "owner") ? withOwner : "instances",
    where: [devices, ...(states ? [ofStates] : []), ...(search ? [searched(devices)] : [])].join(" AND "),
    orderBy,
  };
  if (statements.size >= MAX_STATEMENTS) statements.clear();
  statements.set(key, statement);
  return statement;
}

/** Lists devices that are not deleted. */
export function listInstances(
  lists: Lists,
  filter: InstanceFilter,
  window: Window,
): Promise<Rows<ListedRow<ListedInstance>>> {
  const { of, states, search } = filter;
  return lists.read(
    statementFor(filter),
    ["owner" in of ? of.owner : of.organization, states?.join(",") ?? null, search ? `%${likeText(search)}%` : null],
    window,
  );
}

/** The snapshots of these devices without their layers, as JSON text. */
export const findSnapshots = (
  reads: Pick<Reads, "query">,
  uuids: string[],
): Promise<{ uuid: string; text: string }[]> =>
  reads.query(
    "SELECT uuid, (snapshot #- '{osImage,layers}')::text AS text FROM instances WHERE uuid = ANY($1::uuid[])",
    [uuids],
  );
