import { expect, it } from "vitest";
import { anId, aRecipe } from "../../testing/factories.ts";
import { rowsOf } from "./recipe-rows.ts";

const hardware = { uuid: anId() };
const twin = { name: "Phone 6.1 in, Android 15", hardware };
const [arm, x86] = [aRecipe({ ...twin, arch: "arm64" }), aRecipe({ ...twin, arch: "x86_64" })];
const other = aRecipe({ name: "Watch" });

it("joins official recipes that differ in architecture alone, where the first stands, also over pages", () => {
  expect(rowsOf([arm, other, x86])).toEqual([[arm, x86], [other]]);
});

it.each([
  ["are of people", { is_official: false }],
  ["have another device", { hardware: { uuid: anId() } }],
  ["have another name", { name: "Phone 6.1 in, Android 14" }],
  ["have another Android", { os_image: { ...arm.os_image, os_version: { os_version: "14.0", sdk_version: 34 } } }],
  ["have the same architecture", { arch: "arm64" as const }],
])("leaves alone those that %s", (_, differs) => {
  const one = aRecipe({ ...twin, arch: "arm64", ...("is_official" in differs && differs) });
  expect(rowsOf([one, aRecipe({ ...twin, arch: "x86_64", ...differs })]).length).toBe(2);
});
