import { describe, expect, it } from "vitest";
import { isEmailOrEmpty, isGiven } from "./validators.ts";

describe("validators", () => {
  it.each([
    ["  ", false],
    ["", false],
    ["a", true],
    [0, true],
    [Number.NaN, false],
    [undefined, false],
  ])("isGiven(%j) is %j", (value, is) => expect(isGiven(value)).toBe(is));

  it.each([
    ["", true],
    ["a@b.test", true],
    ["a@", false],
    ["a@b", false],
    ["a b@c.test", false],
    ["a@b..test", false],
  ])("isEmailOrEmpty(%j) is %j", (value, is) => expect(isEmailOrEmpty(value)).toBe(is));
});
