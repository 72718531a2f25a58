import { describe, expect, it } from "vitest";
import { limits } from "./limits.ts";
import {
  type AllocatedGroup,
  clampQuota,
  isQuotaDisabled,
  isQuotaRequired,
  quotaMaximum,
  quotaMinimum,
  quotaPlaceOf,
  quotaRefusal,
} from "./quota-rules.ts";

/** Ten devices: six for the lab, of which QA has three and design one; support shares the organization's pool, and so does its desk. */
const groups: AllocatedGroup[] = [
  { uuid: "lab", parent_uuid: null, group_allocation: 6 },
  { uuid: "qa", parent_uuid: "lab", group_allocation: 3 },
  { uuid: "design", parent_uuid: "lab", group_allocation: 1 },
  { uuid: "night", parent_uuid: "qa", group_allocation: null },
  { uuid: "support", parent_uuid: null, group_allocation: null },
  { uuid: "desk", parent_uuid: "support", group_allocation: null },
];
const placeOf = (uuid: string, devices = 10, all = groups) =>
  quotaPlaceOf(devices, all, { uuid, parent_uuid: all.find((group) => group.uuid === uuid)?.parent_uuid ?? null });
const newBelow = (parent_uuid: string | null) => quotaPlaceOf(10, groups, { parent_uuid });

describe("the least and the most that a group can be allocated", () => {
  it.each([
    ["lab", 4, 10],
    ["qa", 0, 5],
    ["design", 0, 3],
    ["night", 0, 3],
    ["support", 0, 4],
  ])("for %s", (uuid, min, max) => {
    expect([quotaMinimum(placeOf(uuid)), quotaMaximum(placeOf(uuid))]).toEqual([min, max]);
  });

  it("for a new group: what its parent has left", () => {
    expect([null, "lab", "qa", "support"].map((parent) => quotaMaximum(newBelow(parent)))).toEqual([4, 2, 3, 0]);
  });

  it("is never more than any group can have", () => {
    const huge = { uuid: "huge", parent_uuid: null, group_allocation: 2 * limits.groupAllocationMax };
    for (const place of [{ parent_uuid: null }, huge])
      expect(quotaMaximum(quotaPlaceOf(2 * limits.groupAllocationMax, [], place))).toBe(limits.groupAllocationMax);
  });

  it("clamps what was typed", () => {
    expect([0, 5, 9999].map((typed) => clampQuota(placeOf("lab"), typed))).toEqual([4, 5, 10]);
  });

  it("leaves a group what it has where the license has shrunk, and gives it no more", () => {
    const lab = placeOf("lab", 5);
    expect(quotaMaximum(lab)).toBe(6);
    expect([4, 5, 6].map((wanted) => quotaRefusal(lab, wanted))).toEqual([undefined, undefined, undefined]);
    expect(quotaRefusal(lab, 7)).toBe("QUOTA_PARENT_REMAINING_TOO_LOW");
  });
});

it("an allocation of its own is required of a group above one that has one", () => {
  expect(groups.map(({ uuid }) => isQuotaRequired(placeOf(uuid)))).toEqual([true, false, false, false, false, false]);
  const empty = groups.map((group) => (group.uuid === "lab" ? group : { ...group, group_allocation: 0 }));
  expect(isQuotaRequired(placeOf("lab", 10, empty))).toBe(true);
});

it("an allocation of its own is impossible below a group that has none", () => {
  expect(groups.map(({ uuid }) => isQuotaDisabled(placeOf(uuid)))).toEqual([false, false, false, false, false, true]);
});

it.each([
  ["desk", 1, "QUOTA_PARENT_WITHOUT_QUOTA"],
  ["desk", 0, "QUOTA_PARENT_WITHOUT_QUOTA"],
  ["qa", 6, "QUOTA_PARENT_REMAINING_TOO_LOW"],
  ["qa", 5, undefined],
  ["lab", 11, "QUOTA_PARENT_REMAINING_TOO_LOW"],
  ["lab", 3, "QUOTA_GROUP_LT_CHILDREN"],
  ["lab", 4, undefined],
  ["lab", null, "QUOTA_CHILD_WITH_QUOTA"],
  ["qa", null, undefined],
  ["qa", 0, undefined],
  ["night", 3, undefined],
  ["night", 4, "QUOTA_PARENT_REMAINING_TOO_LOW"],
] as const)("%s with %s: %s", (uuid, wanted, refusal) => {
  expect(quotaRefusal(placeOf(uuid), wanted)).toBe(refusal);
});
