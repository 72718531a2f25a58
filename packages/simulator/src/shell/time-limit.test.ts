import { expect, it } from "vitest";
import { withTimeLimit } from "./time-limit.ts";

it("returns what the code returns, and throws what it throws", () => {
  const broken = new Error("broken");
  expect(withTimeLimit(() => [1, 2])).toEqual([1, 2]);
  expect(() =>
    withTimeLimit(() => {
      throw broken;
    }),
  ).toThrow(broken);
});

it("interrupts an expression that would take for ever, and works again afterwards", () => {
  const endless = /^(a{1,30}){1,30}$/;
  expect(withTimeLimit(() => [endless.test(`${"a".repeat(60)}!`)])).toBeUndefined();
  expect(withTimeLimit(() => "again")).toBe("again");
});
