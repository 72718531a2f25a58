import { describe, expect, it } from "vitest";
import type { Actor } from "../sessions/actor.ts";
import { checkKnown, checkMayEdit, mayEdit, type OwnedTable } from "./owned.ts";

const anActor = (fields: Partial<Actor> = {}): Actor => ({
  uuid: "robin",
  organization: "fernworks",
  isManager: false,
  isOperator: false,
  hasAcceptedTerms: true,
  session: "s",
  credential: "s",
  scope: "admin",
  ...fields,
});
const robins = { is_official: false, owner_uuid: "robin", organization_uuid: "fernworks" };
const official = { is_official: true, owner_uuid: null, organization_uuid: null };

describe("mayEdit", () => {
  it.each([
    ["the owner", anActor(), robins, true],
    ["a colleague", anActor({ uuid: "kim" }), robins, false],
    ["a manager of the organization", anActor({ uuid: "kim", isManager: true }), robins, true],
    ["another organization's manager", anActor({ uuid: "kim", isManager: true, organization: "moss" }), robins, false],
    ["an owner who has changed organizations", anActor({ organization: "moss" }), robins, false],
    ["an owner who has become a guest", anActor({ organization: null }), robins, false],
    ["a guest, who has no organization, of official rows", anActor({ organization: null }), official, false],
    ["a manager, of official rows", anActor({ isManager: true }), official, false],
  ])("of %s", (_, actor, row, expected) => {
    expect(mayEdit(actor, row)).toBe(expected);
  });
});

describe("checkMayEdit", () => {
  it.each<[OwnedTable, string]>([
    ["recipes", "RECIPE"],
    ["hardware_profiles", "HARDWARE_PROFILE"],
    ["os_images", "OS_IMAGE"],
  ])("tells callers of %s what they may know", (table, code) => {
    const codeOf = (check: () => void) => {
      try {
        check();
      } catch (error) {
        return (error as { code: string }).code;
      }
      return "allowed";
    };
    expect([
      codeOf(() => checkMayEdit(table, anActor(), robins)),
      codeOf(() => checkMayEdit(table, anActor(), official)),
      codeOf(() => checkMayEdit(table, anActor(), undefined)),
      codeOf(() => checkKnown(table, robins)),
      codeOf(() => checkKnown(table, undefined)),
    ]).toEqual(["allowed", `${code}_NOT_ALLOWED`, `${code}_NOT_FOUND`, "allowed", `${code}_NOT_FOUND`]);
  });
});
