import { expect, it } from "vitest";
import { screenshotName } from "./screenshot.ts";

it("names a screenshot after its device and its time", () => {
  expect(screenshotName("Überfall: a/b", Date.parse("2026-03-02T09:41:07Z"))).toBe(
    "Überfall- a-b 2026-03-02 09.41.07.png",
  );
});
