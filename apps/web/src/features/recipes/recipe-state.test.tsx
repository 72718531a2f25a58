import type { Recipe } from "@terrarium/contract";
import { expect, it } from "vitest";
import { aRecipe } from "../../testing/factories.ts";
import { shownStatus, whyNotStartable } from "./recipe-state.ts";

type Image = NonNullable<Recipe["os_image"]>;
const ready = aRecipe();
const withImage = (fields: Partial<Image>): Recipe => ({ ...ready, os_image: { ...ready.os_image, ...fields } });

it.each<[string, Recipe, ReturnType<typeof whyNotStartable>, ReturnType<typeof shownStatus>]>([
  ["one that is ready", ready, undefined, "READY"],
  ["one without a profile", { ...ready, hardware_profile: null }, "incomplete", "INCOMPLETE"],
  ["one without an image", { ...ready, os_image: null, arch: null }, "incomplete", "INCOMPLETE"],
  ["one in error", { ...ready, status: "ERROR" }, "inError", "ERROR"],
  ["one in error that lost its image", { ...ready, status: "ERROR", os_image: null }, "incomplete", "ERROR"],
  ["one whose image is in error", withImage({ status: "ERROR" }), "inError", "READY"],
  ["one that is saved for the first time", { ...ready, status: "CREATING" }, "notReady", "CREATING"],
  ["one that is saved anew", { ...ready, status: "UPDATING" }, "notReady", "UPDATING"],
  ["one whose image is saved through another", withImage({ status: "UPDATING" }), "notReady", "READY"],
  ["one whose runtime is not there", withImage({ is_runtime_configured: false }), "noRuntime", "READY"],
])("says whether %s can be started, and how it is", (_, recipe, reason, status) => {
  expect([whyNotStartable(recipe), shownStatus(recipe)]).toEqual([reason, status]);
});
