import type { Group } from "@terrarium/contract";
import type { TreeItem } from "../components/tree/tree-rows.ts";

export type GroupItem = TreeItem<Group>;

/** The groups as a tree that can be shown and chosen from. */
export const itemsOf = (groups: readonly Group[]): GroupItem[] =>
  groups.map((group) => ({ id: group.uuid, name: group.name, data: group, children: itemsOf(group.subgroups) }));
