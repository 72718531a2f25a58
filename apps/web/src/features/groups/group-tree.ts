import type { AllocatedGroup, Group } from "@terrarium/contract";
import { allOf, type TreeItem } from "../../components/tree/tree-rows.ts";

export type GroupItem = TreeItem<Group>;

export const itemsOf = (groups: readonly Group[]): GroupItem[] =>
  groups.map((group) => ({ id: group.uuid, name: group.name, data: group, children: itemsOf(group.subgroups) }));

/** All groups, each before those below it. */
export const groupsIn = (items: readonly GroupItem[]): Group[] => allOf(items).map(({ data }) => data);

/** As the rules of quotas read them. */
export const allocatedOf = (groups: readonly Group[]): AllocatedGroup[] =>
  groups.map(({ uuid, parent_uuid, quotas }) => ({ uuid, parent_uuid, group_allocation: quotas.group_allocation }));

/** Whether a group is what somebody seeks. */
export const matches = (group: Group, search: string): boolean =>
  [group.name, group.description].some((text) => text.toLowerCase().includes(search.toLowerCase()));
