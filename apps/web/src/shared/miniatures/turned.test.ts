import { expect, it } from "vitest";
import { turnedAs } from "./turned.ts";

const phone = { width: 720, height: 1280, density: 320 };

it("turns a display as its picture is turned", () => {
  expect(turnedAs(phone, { width: 640, height: 360 })).toEqual({ width: 1280, height: 720, density: 320 });
  expect(turnedAs(phone, { width: 360, height: 640 })).toBe(phone);
  expect(turnedAs(phone, undefined)).toBe(phone);
});

it("leaves what is square as it is", () => {
  const watch = { width: 454, height: 454 };
  expect(turnedAs(watch, { width: 454, height: 454 })).toBe(watch);
});
