import { AppError, type Group } from "@terrarium/contract";
import type { Act } from "../audit/audit.ts";
import type { By } from "../audit/by.ts";
import { findInTree, groupTree } from "./group-tree.ts";
import { changeGroups, type GroupDeps, groupOf, type LockedGroups, type Manager } from "./groups.ts";
import { deleteMemberships, findMembers, insertMemberships, listGroups, type Membership } from "./groups.store.ts";

/** @throws GROUP_NOT_FOUND */
export async function checkGroup({ db }: GroupDeps, { organization }: Manager, uuid: string): Promise<void> {
  const rows = await listGroups(db, organization);
  if (!rows.some((row) => row.uuid === uuid)) throw new AppError("GROUP_NOT_FOUND");
}

/** Adds people to a group; some may be in it already. @throws GROUP_NOT_FOUND, USER_NOT_FOUND */
export const addUsers = (
  deps: GroupDeps,
  manager: Manager,
  group: string,
  users: readonly string[],
  by: By,
): Promise<Group> =>
  moveUsers(
    deps,
    manager,
    group,
    users.map((user_uuid) => ({ user_uuid, original_group_uuid: null })),
    by,
  );

/**
 * Moves people to a group, each from another. Who has left that one by now comes along all the same, as another manager may have been
 * quicker.
 * @throws GROUP_NOT_FOUND, also for a group that somebody is to leave; USER_NOT_FOUND
 */
export const moveUsers = (
  deps: GroupDeps,
  manager: Manager,
  group: string,
  moves: readonly { user_uuid: string; original_group_uuid: string | null }[],
  by: By,
): Promise<Group> =>
  changeGroups(deps, manager, async (groups) => {
    groupOf(groups, group);
    const left = moves.flatMap(({ user_uuid, original_group_uuid: from }) =>
      from === null || from === group ? [] : [{ group_uuid: groupOf(groups, from).uuid, user_uuid }],
    );
    const users = [...new Set(moves.map(({ user_uuid }) => user_uuid))];
    await checkMembers(groups, users);
    const gone = await deleteMemberships(groups.trx, left);
    const joined = await insertMemberships(
      groups.trx,
      users.map((user_uuid) => ({ group_uuid: group, user_uuid })),
    );
    await deps.audit.record(groups.trx, by, ...gone.map(leaves), ...joined.map(joins));
    return findInTree(await groupTree(groups.trx, manager.organization), group);
  });

/** Removes people from a group; some may not be in it any more. @throws GROUP_NOT_FOUND, USER_NOT_FOUND */
export const removeUsers = (
  deps: GroupDeps,
  manager: Manager,
  group: string,
  users: readonly string[],
  by: By,
): Promise<void> =>
  changeGroups(deps, manager, async (groups) => {
    groupOf(groups, group);
    await checkMembers(groups, users);
    const gone = await deleteMemberships(
      groups.trx,
      users.map((user_uuid) => ({ group_uuid: group, user_uuid })),
    );
    await deps.audit.record(groups.trx, by, ...gone.map(leaves));
  });

/** @throws USER_NOT_FOUND, which names all who are unknown in the organization */
async function checkMembers({ trx, organization }: LockedGroups, users: readonly string[]): Promise<void> {
  const known = await findMembers(trx, organization.uuid, users);
  const unknown = users.filter((user) => !known.has(user));
  if (unknown.length > 0) throw new AppError("USER_NOT_FOUND", { details: { unknown: unknown.join(", ") } });
}

const about =
  (action: "group.add_user" | "group.remove_user") =>
  ({ group_uuid: group, user_uuid: uuid }: Membership): Act => ({
    action,
    subject: { kind: "user", uuid },
    details: { group },
  });
/** The record of somebody who is in a group now. */
export const joins = about("group.add_user");
const leaves = about("group.remove_user");
