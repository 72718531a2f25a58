import { describe, expect, it } from "vitest";
import { dateTime, duration, longDate, relativeTime } from "./dates.ts";

const afternoon = new Date(2026, 2, 5, 15, 7, 9);

describe("dates", () => {
  it("writes a day in words, and a moment to the second", () => {
    expect([longDate(afternoon, "-"), dateTime(afternoon, "-")]).toEqual(["March 5, 2026", "2026-03-05 15:07:09"]);
  });

  it.each([null, undefined, "", "nonsense"])("says so when there is no date: %j", (none) => {
    expect(dateTime(none, "Not available")).toBe("Not available");
  });
});

describe("duration", () => {
  it.each([
    [90, 90, "minutes"],
    [120, 2, "hours"],
    [60, 1, "hours"],
    [0, 0, "minutes"],
  ])("says %i minutes as %i %s", (minutes, count, unit) => expect(duration(minutes)).toEqual({ count, unit }));
});

describe("relativeTime", () => {
  const minute = 60_000;
  it.each([
    [0, "just now"],
    [-5 * minute, "just now"],
    [59_999, "just now"],
    [minute, "1 minute ago"],
    [59 * minute, "59 minutes ago"],
    [60 * minute, "1 hour ago"],
    [23 * 60 * minute, "23 hours ago"],
    [49 * 60 * minute, "2 days ago"],
  ])("calls %i ms ago %j", (ago, text) => expect(relativeTime(1e12 - ago, 1e12)).toBe(text));
});
