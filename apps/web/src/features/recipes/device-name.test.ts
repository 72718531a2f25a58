import { expect, it } from "vitest";
import { deviceNameOf } from "./device-name.ts";

it.each([
  ["Phone 6.1 in, Android 15", "phone-6.1-in-android-15"],
  ["  Caisse & Noël ", "caisse-noël"],
  ["電話", "電話"],
  ["!!!", "device"],
  ["a".repeat(300), "a".repeat(250)],
])("suggests for %j the name %j", (recipe, name) => expect(deviceNameOf(recipe)).toBe(name));
