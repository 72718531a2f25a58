import { describe, expect, it } from "vitest";
import { actionsOf, hasSwitch } from "./user-actions.ts";

const me = { uuid: "me" };
const someone = (fields: object) =>
  ({ uuid: "someone", is_validated: true, is_enabled: true, is_organization_manager: false, ...fields }) as never;

describe("what a manager may do with somebody", () => {
  it.each([
    ["a user", {}, ["edit", "setManager", "audit"], true],
    ["a manager", { is_organization_manager: true }, ["edit", "setUser", "audit"], true],
    ["themselves", { uuid: "me", is_organization_manager: true }, ["edit", "audit"], false],
    ["a user who is denied", { is_enabled: false }, ["audit"], true],
    ["a manager who is denied", { is_enabled: false, is_organization_manager: true }, ["audit"], true],
    ["somebody invited", { is_validated: false }, ["resend", "cancel"], false],
    ["somebody invited and denied", { is_validated: false, is_enabled: false }, ["resend", "cancel"], false],
  ])("%s", (_, fields, actions, canSwitch) => {
    expect([actionsOf(someone(fields), me), hasSwitch(someone(fields), me)]).toEqual([actions, canSwitch]);
  });
});
