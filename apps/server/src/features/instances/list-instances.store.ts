import type { InstanceState, Ordering } from "@terrarium/contract";
import { likeText } from "../../platform/db/like-text.ts";
import type { Reads } from "../../platform/db/reads.ts";
import type { Rows, Window } from "../../platform/http/pages.ts";
import type { ShownInstance } from "./instances.store.ts";

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

const FROM = `FROM instances
  JOIN users AS owner ON owner.uuid = instances.owner_uuid
  LEFT JOIN recipes AS recipe ON recipe.uuid = instances.recipe_uuid`;

const COLUMNS = `instances.uuid, instances.name, instances.owner_uuid, instances.recipe_uuid, instances.state,
  instances.revision, instances.reason, instances.timeout_inactivity, instances.timeout_global, instances.created_at,
  instances.updated_at, instances.online_at, instances.ran_ms, instances.idle_ms, instances.measured_at, owner.email AS owner_email,
  owner.first_name AS owner_first_name, owner.last_name AS owner_last_name, recipe.name AS recipe_name,
  recipe.status AS recipe_status, recipe.is_official AS recipe_is_official`;

/** The state is in the text, not in the values, so that generic plans can use the partial indexes. */
const matching = (whose: "owner_uuid" | "organization_uuid"): string => `
  WHERE instances.state <> 'DELETED' AND instances.${whose} = $1
    AND ($2::text[] IS NULL OR instances.state = ANY($2))
    AND ($3::text IS NULL OR instances.name ILIKE '%' || $3 || '%' OR owner.email ILIKE '%' || $3 || '%'
      OR owner.first_name || ' ' || owner.last_name ILIKE '%' || $3 || '%' OR instances.uuid::text LIKE lower($3) || '%')`;

/** Lists devices that are not deleted. It is one query: each row carries the total count. */
export async function listInstances(
  reads: Reads,
  { of, states, search, ordering }: InstanceFilter,
  { limit, offset }: Window,
): Promise<Rows<ListedInstance>> {
  const where = matching("owner" in of ? "owner_uuid" : "organization_uuid");
  const values = ["owner" in of ? of.owner : of.organization, states ?? null, search ? likeText(search) : null];
  const order = ordering.map(({ field, descending }) => `${orderColumns[field]}${descending ? " DESC" : ""}`);
  const results = await reads.query<ListedInstance & { count: number }>(
    `SELECT ${COLUMNS}, count(*) OVER () AS count ${FROM} ${where}
      ORDER BY ${[...order, "instances.uuid"].join(", ")} LIMIT $4 OFFSET $5`,
    [...values, limit, offset],
  );
  if (results.length > 0 || offset === 0) return { count: results[0]?.count ?? 0, results };
  // A page past the end has no row to carry the count.
  const [counted] = await reads.query<{ count: number }>(`SELECT count(*) AS count ${FROM} ${where}`, values);
  return { count: counted?.count ?? 0, results };
}

/** The snapshots of these devices, as JSON text. */
export const findSnapshots = (
  reads: Pick<Reads, "query">,
  uuids: string[],
): Promise<{ uuid: string; text: string }[]> =>
  reads.query("SELECT uuid, snapshot::text AS text FROM instances WHERE uuid = ANY($1::uuid[])", [uuids]);
