import { AppError, type Group, limits } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { countUsers, findCountedDevices, type GroupRow, listGroups } from "./groups.store.ts";

/** The groups at the top of an organization, by name, each with its subgroups. */
export async function groupTree(db: Database, organization: string): Promise<Group[]> {
  const [rows, people, counted] = [
    await listGroups(db, organization),
    await countUsers(db, organization, limits.groupUsersShown),
    await findCountedDevices(db, organization),
  ];
  const devices = devicesByGroup(rows, counted);
  const below = Map.groupBy(rows, ({ parent_uuid }) => parent_uuid);
  const present = ({ uuid, name, description, parent_uuid, is_default, group_allocation }: GroupRow): Group => ({
    uuid,
    name,
    description,
    parent_uuid,
    is_default,
    quotas: { group_allocation },
    running_instances: devices.get(uuid)?.size ?? 0,
    ...(people.get(uuid) ?? { user_count: 0, users: [] }),
    subgroups: (below.get(uuid) ?? []).map(present),
  });
  return (below.get(null) ?? []).map(present);
}

/** The devices of the people of each group and of its subgroups. Somebody's devices count once where they are in several of them. */
function devicesByGroup(rows: readonly GroupRow[], counted: readonly { group_uuid: string; uuid: string }[]) {
  const parents = new Map(rows.map(({ uuid, parent_uuid }) => [uuid, parent_uuid]));
  const devices = new Map<string, Set<string>>();
  for (const { group_uuid, uuid } of counted)
    for (let group: string | null = group_uuid; group !== null; group = parents.get(group) ?? null)
      devices.set(group, (devices.get(group) ?? new Set()).add(uuid));
  return devices;
}

/** The groups with a text in their name or description, whatever its case, and those above them. */
export function searchTree(tree: readonly Group[], text: string): Group[] {
  const wanted = text.toLowerCase();
  const matches = ({ name, description }: Group) =>
    name.toLowerCase().includes(wanted) || description.toLowerCase().includes(wanted);
  return tree.flatMap((group) => {
    const subgroups = searchTree(group.subgroups, text);
    return subgroups.length > 0 || matches(group) ? [{ ...group, subgroups }] : [];
  });
}

/** @throws GROUP_NOT_FOUND */
export function findInTree(tree: readonly Group[], uuid: string): Group {
  const waiting = [...tree];
  for (let group = waiting.pop(); group; group = waiting.pop()) {
    if (group.uuid === uuid) return group;
    waiting.push(...group.subgroups);
  }
  throw new AppError("GROUP_NOT_FOUND");
}
