import { describe, expect, it } from "vitest";
import { clockTime, dateTime, duration, longDate, relativeTime, shortDate } from "./dates.ts";

const afternoon = new Date(2026, 2, 5, 15, 7, 9);

describe("dates", () => {
  it("writes the four formats", () => {
    expect([longDate, shortDate, dateTime, clockTime].map((write) => write(afternoon, "-"))).toEqual([
      "March 5, 2026",
      "2026-03-05",
      "2026-03-05 15:07:09",
      "3:07 PM",
    ]);
    expect([clockTime(new Date(2026, 0, 1, 0, 5), "-"), clockTime(new Date(2026, 0, 1, 12, 0), "-")]).toEqual([
      "12:05 AM",
      "12:00 PM",
    ]);
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
