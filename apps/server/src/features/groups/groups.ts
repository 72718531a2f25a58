import {
  AppError,
  type Group,
  type GroupBody,
  type GroupChange,
  limits,
  quotaPlaceOf,
  quotaRefusal,
} from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { isDuplicate } from "../../platform/db/database-errors.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { By } from "../audit/by.ts";
import { lockLimits, type OrganizationRow } from "../organizations/limits.ts";
import { findInTree, groupTree, searchTree } from "./group-tree.ts";
import { clearDefault, deleteGroup, type GroupRow, insertGroup, listGroups, updateGroup } from "./groups.store.ts";
import type { FeatureDeps } from "../deps.ts";

export type GroupDeps = FeatureDeps;

/** A manager of an organization. Groups of others are unknown. */
export interface Manager {
  organization: string;
}

/** An organization's groups, which nobody else changes until the transaction ends. */
export interface LockedGroups {
  trx: Database;
  organization: OrganizationRow;
  rows: GroupRow[];
}

export async function getGroups({ db }: GroupDeps, { organization }: Manager, search = ""): Promise<Group[]> {
  const tree = await groupTree(db, organization);
  return search === "" ? tree : searchTree(tree, search);
}

/**
 * Works on an organization's groups: calls take turns, also with starts of devices, which read allocations.
 * @throws GROUP_EXISTS if two groups have the same name then
 */
export const changeGroups = <Result>(
  { db }: GroupDeps,
  { organization: uuid }: Manager,
  work: (groups: LockedGroups) => Promise<Result>,
): Promise<Result> =>
  transaction(db, async (trx) => {
    const organization = await lockLimits(trx, uuid);
    return work({ trx, organization, rows: await listGroups(trx, uuid) });
  }).catch((error: unknown) => {
    throw isDuplicate(error, "groups_name") ? new AppError("GROUP_EXISTS", { cause: error }) : error;
  });

/** @throws GROUP_NOT_FOUND */
export function groupOf({ rows }: LockedGroups, uuid: string): GroupRow {
  const row = rows.find((each) => each.uuid === uuid);
  if (!row) throw new AppError("GROUP_NOT_FOUND");
  return row;
}

/** @throws GROUP_NOT_FOUND for its parent, TOO_MANY_GROUPS, GROUP_TOO_DEEP, GROUP_EXISTS, and what `quotaRefusal` says */
export const createGroup = (
  deps: GroupDeps,
  manager: Manager,
  { name, description = "", parent_uuid = null, is_default = false, quotas }: GroupBody,
  by: By,
): Promise<Group> =>
  changeGroups(deps, manager, async (groups) => {
    const { trx, organization, rows } = groups;
    if (rows.length >= limits.groups) throw new AppError("TOO_MANY_GROUPS");
    if (depthBelow(groups, parent_uuid) > limits.groupDepth) throw new AppError("GROUP_TOO_DEEP");
    const group_allocation = quotas?.group_allocation ?? null;
    checkQuota(groups, { parent_uuid }, group_allocation);
    const uuid = randomUUID();
    if (is_default) await clearDefault(trx, organization.uuid);
    await insertGroup(trx, {
      uuid,
      organization_uuid: organization.uuid,
      parent_uuid,
      name,
      description,
      is_default,
      group_allocation,
      created_at: new Date(deps.clock.now()),
    });
    await deps.audit.record(trx, by, {
      action: "group.create",
      subject: { kind: "group", uuid },
      details: { name, group_allocation },
    });
    return findInTree(await groupTree(trx, organization.uuid), uuid);
  });

/** How deep a group below `parent` is: 1 at the top. */
function depthBelow(groups: LockedGroups, parent: string | null): number {
  return parent === null ? 1 : 1 + depthBelow(groups, groupOf(groups, parent).parent_uuid);
}

function checkQuota(
  { organization, rows }: LockedGroups,
  group: { uuid?: string; parent_uuid: string | null },
  wanted: number | null,
): void {
  const refusal = quotaRefusal(quotaPlaceOf(organization.instances_max, rows, group), wanted);
  if (refusal) throw new AppError(refusal);
}

/**
 * Changes a group. What is missing stays as it is.
 * @throws GROUP_NOT_FOUND, GROUP_PARENT_FIXED, GROUP_WITH_QUOTA_MOVE_FORBIDDEN, GROUP_IS_DEFAULT, GROUP_EXISTS, and what `quotaRefusal` says
 */
export const editGroup = (
  deps: GroupDeps,
  manager: Manager,
  uuid: string,
  { parent_uuid, quotas, ...wanted }: GroupChange,
  by: By,
): Promise<Group> =>
  changeGroups(deps, manager, async (groups) => {
    const { trx, organization } = groups;
    const row = groupOf(groups, uuid);
    if (parent_uuid !== undefined && parent_uuid !== row.parent_uuid)
      throw new AppError(row.group_allocation === null ? "GROUP_PARENT_FIXED" : "GROUP_WITH_QUOTA_MOVE_FORBIDDEN");
    const group_allocation = quotas ? quotas.group_allocation : row.group_allocation;
    checkQuota(groups, row, group_allocation);
    const { name = row.name, description = row.description, is_default = row.is_default } = wanted;
    if (row.is_default && !is_default) throw new AppError("GROUP_IS_DEFAULT");
    const after = { name, description, is_default, group_allocation };
    const changed = (Object.keys(after) as (keyof typeof after)[]).filter((field) => after[field] !== row[field]);
    if (changed.length > 0) {
      if (changed.includes("is_default")) await clearDefault(trx, organization.uuid);
      await updateGroup(trx, uuid, after);
      await deps.audit.record(trx, by, {
        action: "group.edit",
        subject: { kind: "group", uuid },
        details: { name, group_allocation, changed: changed.join(", ") },
      });
    }
    return findInTree(await groupTree(trx, organization.uuid), uuid);
  });

/**
 * Deletes a group. What is below it moves up, with its allocations, which fit there as the group's own did. Nobody is left without a group:
 * people of a group at the top move to the default group.
 * @throws GROUP_NOT_FOUND, GROUP_IS_DEFAULT
 */
export const removeGroup = (deps: GroupDeps, manager: Manager, uuid: string, by: By): Promise<void> =>
  changeGroups(deps, manager, async (groups) => {
    const row = groupOf(groups, uuid);
    if (row.is_default) throw new AppError("GROUP_IS_DEFAULT");
    const heir = row.parent_uuid ?? groups.rows.find(({ is_default }) => is_default)?.uuid ?? null;
    await deleteGroup(groups.trx, row, heir);
    await deps.audit.record(groups.trx, by, {
      action: "group.delete",
      subject: { kind: "group", uuid },
      details: { name: row.name },
    });
  });
