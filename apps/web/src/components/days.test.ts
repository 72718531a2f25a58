import { expect, it } from "vitest";
import { isDay, startOfDay } from "./days.ts";

it.each(["2026-02-28", "2024-02-29", "1999-12-31"])("%s is a day", (text) => expect(isDay(text)).toBe(true));

it.each(["", "2026-02-29", "2026-13-01", "2026-1-1", "0020-01-01", "2026-03-05T00:00:00Z", "yesterday"])(
  "%j is none",
  (text) => expect(isDay(text)).toBe(false),
);

it("begins a day at midnight where the reader is, also when clocks change and at the end of a year", () => {
  expect(startOfDay("2026-03-05")).toEqual(new Date(2026, 2, 5, 0, 0, 0));
  expect(startOfDay("2026-03-29", 1)).toEqual(new Date(2026, 2, 30, 0, 0, 0));
  expect(startOfDay("2026-12-31", 1)).toEqual(new Date(2027, 0, 1, 0, 0, 0));
});
