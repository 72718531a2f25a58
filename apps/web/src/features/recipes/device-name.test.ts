import { expect, it } from "vitest";
import { deviceNameOf, numberedNames } from "./device-name.ts";

it.each([
  ["Phone 6.1 in, Android 15", "phone-6.1-in-android-15"],
  ["  Caisse & Noël ", "caisse-noël"],
  ["電話", "電話"],
  ["!!!", "device"],
  ["a".repeat(300), "a".repeat(250)],
])("suggests for %j the name %j", (recipe, name) => expect(deviceNameOf(recipe)).toBe(name));

it("numbers names so that they sort as they count, and keeps them within the limit", () => {
  expect(numberedNames("smoke", 1)).toEqual(["smoke"]);
  expect(numberedNames("smoke", 2)).toEqual(["smoke-1", "smoke-2"]);
  expect(numberedNames("smoke", 10).slice(8)).toEqual(["smoke-09", "smoke-10"]);
  expect(numberedNames("a".repeat(250), 12)[11]).toBe(`${"a".repeat(247)}-12`);
});
