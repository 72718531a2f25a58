import { describe, expect, it } from "vitest";
import { createsImage, isBeingSaved, ownsRecipe, whyNotSavable } from "./save-rules.ts";
import { aDevice, aPerson, aRecipeOf } from "./testing/a-device.ts";

const me = { uuid: "me", organization: { uuid: "ours" } };
const mine = aRecipeOf({ uuid: "me", organization: "ours" });

describe("whyNotSavable", () => {
  it.each([
    ["an official recipe", aRecipeOf(null)],
    ["one's own recipe", mine],
    ["a colleague's recipe", aRecipeOf({ uuid: "other", organization: "ours" })],
  ])("has nothing against %s", (_, recipe) => expect(whyNotSavable(aDevice({ recipe }), me)).toBeUndefined());

  it.each([
    ["notOnline", aDevice({ state: "BOOTING" })],
    ["notOnline", aDevice({ state: "SAVING" })],
    ["noRecipe", aDevice({ recipe: null })],
    ["notAllowed", aDevice({ recipe: aRecipeOf({ uuid: "other", organization: "theirs" }) })],
    ["notAllowed", aDevice({ recipe: aRecipeOf({ uuid: "other", organization: null }) })],
    ["notAllowed", aDevice({ owner: aPerson("other") })],
    ["cannotSave", aDevice({ can_save: false })],
  ])("is %s", (reason, device) => expect(whyNotSavable(device, me)).toBe(reason));

  it("is not allowed to guests", () =>
    expect(whyNotSavable(aDevice(), { uuid: "me", organization: null })).toBe("notAllowed"));
});

it("owns a recipe whose owner one is", () => {
  expect(ownsRecipe(aDevice({ recipe: mine }), me)).toBe(true);
  expect(ownsRecipe(aDevice({ recipe: aRecipeOf({ uuid: "other", organization: "ours" }) }), me)).toBe(false);
  expect(ownsRecipe(aDevice(), me)).toBe(false);
});

it("cannot update what is being saved", () => {
  const statuses = ["CREATING", "UPDATING", "READY", "ERROR"] as const;
  const are = statuses.map((status) => isBeingSaved(aDevice({ recipe: { ...mine, status } })));
  expect(are).toEqual([true, true, false, false]);
});

describe("createsImage", () => {
  const own = { ...aDevice().os_image, is_official: false };
  it.each([
    ["a new recipe", aDevice({ recipe: mine, os_image: own }), "save_as", true],
    ["one's recipe with an official image", aDevice({ recipe: mine }), "update", true],
    ["one's recipe with an image of one's own", aDevice({ recipe: mine, os_image: own }), "update", false],
    [
      "an official recipe without an image",
      aDevice({ recipe: aRecipeOf(null, { items: [] }), os_image: own }),
      "update",
      true,
    ],
    ["an official recipe with an image of one's own", aDevice({ os_image: own }), "update", false],
    ["a custom recipe without an image", aDevice({ recipe: { ...mine, items: [] }, os_image: own }), "update", false],
  ] as const)("for %s", (_, device, action, expected) => expect(createsImage(device, action)).toBe(expected));
});
