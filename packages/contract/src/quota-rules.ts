import { limits } from "./limits.ts";

/**
 * The rules by which an organization's devices are distributed among its groups, for the service and for forms.
 *
 * An allocation is how many devices may run at once for the people of a group and of its subgroups. A group without one shares what its
 * parent has. The organization is the parent of the groups at the top, and always has an allocation: its license's number of devices. The
 * allocations of subgroups together are never more than that of their parent.
 */

/** A group as far as its allocation is concerned; null is the parent's resource pool. */
export interface AllocatedGroup {
  uuid: string;
  parent_uuid: string | null;
  group_allocation: number | null;
}

/** What the allocation of one group depends on. */
export interface QuotaPlace {
  /** The allocation of the parent; null if that shares its own parent's pool. */
  ofParent: number | null;
  /** What the parent's other subgroups have been allocated together. */
  ofSiblings: number;
  /** What the group's own subgroups have been allocated together; undefined if none of them has an allocation. */
  ofSubgroups: number | undefined;
  /** The group's own, as it is now; null also for a group that is yet to be created. */
  current: number | null;
}

export type QuotaRefusal =
  | "QUOTA_PARENT_WITHOUT_QUOTA"
  | "QUOTA_PARENT_REMAINING_TOO_LOW"
  | "QUOTA_GROUP_LT_CHILDREN"
  | "QUOTA_CHILD_WITH_QUOTA";

const sumOf = (allocations: readonly number[]): number => allocations.reduce((sum, each) => sum + each, 0);

/**
 * The place of a group among all groups of its organization, in any order. For a group that is yet to be created, `uuid` is undefined.
 * @param organizationAllocation how many devices the organization may run at once
 */
export function quotaPlaceOf(
  organizationAllocation: number,
  groups: readonly AllocatedGroup[],
  { uuid, parent_uuid }: { uuid?: string | undefined; parent_uuid: string | null },
): QuotaPlace {
  const allocationsBelow = (parent: string | null) =>
    groups.flatMap(({ uuid: each, parent_uuid: of, group_allocation }) =>
      of === parent && each !== uuid && group_allocation !== null ? [group_allocation] : [],
    );
  const parent = groups.find((group) => group.uuid === parent_uuid);
  const subgroups = uuid === undefined ? [] : allocationsBelow(uuid);
  return {
    ofParent: parent_uuid === null ? organizationAllocation : (parent?.group_allocation ?? null),
    ofSiblings: sumOf(allocationsBelow(parent_uuid)),
    ofSubgroups: subgroups.length > 0 ? sumOf(subgroups) : undefined,
    current: groups.find((group) => group.uuid === uuid)?.group_allocation ?? null,
  };
}

const remainingOf = ({ ofParent, ofSiblings }: Pick<QuotaPlace, "ofParent" | "ofSiblings">): number =>
  Math.max(0, (ofParent ?? 0) - ofSiblings);

/** The least allocation that a group can have: what its subgroups have. */
export const quotaMinimum = ({ ofSubgroups = 0 }: QuotaPlace): number => ofSubgroups;

/**
 * The most that a group can be allocated: what its parent has left, and what it has itself. Where the parent has less than it has given
 * away, as the license has shrunk, a group can keep what it has.
 */
export const quotaMaximum = (place: QuotaPlace): number =>
  Math.min(limits.groupAllocationMax, Math.max(remainingOf(place), place.current ?? 0));

/** The nearest allocation that a group can have. */
export const clampQuota = (place: QuotaPlace, allocation: number): number =>
  Math.max(quotaMinimum(place), Math.min(quotaMaximum(place), allocation));

/** Whether a group must have an allocation of its own, as a subgroup has one. */
export const isQuotaRequired = ({ ofSubgroups }: QuotaPlace): boolean => ofSubgroups !== undefined;

/** Whether a group can have no allocation of its own, as its parent has none. */
export const isQuotaDisabled = ({ ofParent }: QuotaPlace): boolean => ofParent === null;

/** Why a group cannot be allocated this, if it cannot; null is the parent's pool. It can always keep what it has. */
export function quotaRefusal(place: QuotaPlace, wanted: number | null): QuotaRefusal | undefined {
  if (wanted === null) return isQuotaRequired(place) ? "QUOTA_CHILD_WITH_QUOTA" : undefined;
  if (isQuotaDisabled(place)) return "QUOTA_PARENT_WITHOUT_QUOTA";
  if (wanted < quotaMinimum(place)) return "QUOTA_GROUP_LT_CHILDREN";
  return wanted > quotaMaximum(place) ? "QUOTA_PARENT_REMAINING_TOO_LOW" : undefined;
}
