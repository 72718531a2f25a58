import type { Database } from "../../database/schema.ts";
import { type Counted, findFullGroups } from "./groups.store.ts";

/** A group that has as many devices as it is allocated. */
export interface FullGroup {
  uuid: string;
  group_allocation: number;
}

/**
 * The full groups of people who would start another device. A device counts for every group that its person is in, and for all groups above
 * these: each of them that has an allocation must have room. Exact for concurrent starts once `lockLimits` has locked the organization.
 */
export async function fullGroups(
  db: Database,
  people: readonly Counted[],
): Promise<(who: Counted) => FullGroup | undefined> {
  const keyOf = ({ organization_uuid, user_uuid }: Counted) => `${organization_uuid} ${user_uuid}`;
  const asked = [...new Map(people.map((who) => [keyOf(who), who])).values()];
  const full = asked.length === 0 ? [] : await findFullGroups(db, asked);
  const groups = new Map(full.map((row) => [keyOf(row), { uuid: row.uuid, group_allocation: row.group_allocation }]));
  return (who) => groups.get(keyOf(who));
}
