import type { AllocatedGroup, Group } from "@terrarium/contract";
import { allOf } from "../../components/tree/tree-rows.ts";
import type { GroupItem } from "../../shared/group-items.ts";

/** All groups, each before those below it. */
export const groupsIn = (items: readonly GroupItem[]): Group[] => allOf(items).map(({ data }) => data);

/** As the rules of quotas read them. */
export const allocatedOf = (groups: readonly Group[]): AllocatedGroup[] =>
  groups.map(({ uuid, parent_uuid, quotas }) => ({ uuid, parent_uuid, group_allocation: quotas.group_allocation }));

/** Whether a group is what somebody seeks. */
export const matches = (group: Group, search: string): boolean =>
  [group.name, group.description].some((text) => text.toLowerCase().includes(search.toLowerCase()));
