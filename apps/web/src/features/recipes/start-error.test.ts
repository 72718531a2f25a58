import { describe, expect, it } from "vitest";
import { recipes as words } from "../../en/recipes.ts";
import { isLimitReached, startErrorKey } from "./start-error.ts";

const sentence = (code: string, role: "manager" | "user" | "guest") => {
  const [group, name] = startErrorKey(code, role).split(".");
  const errors: Record<string, unknown> = words.recipes.startErrors;
  return name ? (errors[group ?? ""] as Record<string, unknown>)[name] : errors[group ?? ""];
};

describe("what is said when a device could not be started", () => {
  it.each([
    ["TOO_MANY_RUNNING_VDS", "Too many running virtual devices."],
    ["LICENSE_EXPIRED", "Your license has expired."],
    ["INVALID_LICENSE", "Your license is invalid."],
    ["RECIPE_NOT_READY", "Recipe not ready, try again later."],
    ["RECIPE_NOT_FOUND", "Recipe not found."],
    ["GROUP_ALLOCATION_REACHED", "Your group has reached its virtual device limit."],
    ["BUDGET_USED_UP", "The budget for this month is used up. A manager can raise it."],
    ["NO_SLOT_AVAILABLE", "Due to high demand, all virtual devices are booked. Please try again later."],
    ["XYZ", "Fail to start virtual device."],
    ["toString", "Fail to start virtual device."],
  ])("%s: %s", (code, text) => expect(sentence(code, "user")).toBe(text));

  it.each([
    ["TOO_MANY_RUNNING_VDS", "The recipe owner has too many running virtual devices."],
    ["LICENSE_EXPIRED", "The recipe owner's license has expired."],
    ["INVALID_LICENSE", "The recipe owner's license is invalid."],
    ["GROUP_ALLOCATION_REACHED", "The recipe owner's group has reached its virtual device limit."],
    ["ARCH_NOT_SUPPORTED", "The recipe owner's organization does not support this architecture."],
    ["NO_SLOT_AVAILABLE", "Due to high demand, all virtual devices are booked. Please try again later."],
    ["XYZ", "Fail to start virtual device."],
    ["RECIPE_NOT_READY", "Recipe not ready, try again later."],
  ])("to a guest %s: %s", (code, text) => expect(sentence(code, "guest")).toBe(text));

  it("opens the dialog of the limit for the two codes of a limit", () => {
    expect(["TOO_MANY_RUNNING_VDS", "GROUP_ALLOCATION_REACHED", "NO_SLOT_AVAILABLE"].map(isLimitReached)).toEqual([
      true,
      true,
      false,
    ]);
  });
});
