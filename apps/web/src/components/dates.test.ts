import { describe, expect, it, onTestFinished, vi } from "vitest";
import { dateTime, duration, longDate, monthAndYear, relativeTime, shortDate, timeOfDay } from "./dates.ts";

const afternoon = new Date(2026, 2, 5, 15, 7, 9);

describe("dates", () => {
  it("writes a day in words, and a moment to the second", () => {
    expect([longDate(afternoon, "-"), dateTime(afternoon, "-")]).toEqual(["March 5, 2026", "2026-03-05 15:07:09"]);
  });

  it("writes a day in figures, the time of a day, and a month", () => {
    expect([shortDate(afternoon, "-"), timeOfDay(afternoon, "-")]).toEqual(["2026-03-05", "3:07 PM"]);
    expect(monthAndYear(afternoon, "-")).toBe("March 2026");
  });

  it.each([
    [0, "12:05 AM"],
    [11, "11:05 AM"],
    [12, "12:05 PM"],
    [23, "11:05 PM"],
  ])("calls %i:05 %s", (hour, text) => expect(timeOfDay(new Date(2026, 2, 5, hour, 5), "-")).toBe(text));

  it("writes them as of where the reader is now", () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    const said = ["Asia/Tokyo", "America/New_York", "Asia/Kolkata"].map((zone) => {
      vi.stubEnv("TZ", zone);
      return ["2026-03-05T18:07:09Z", "2026-07-05T18:07:09Z"].map((time) => dateTime(time, "-"));
    });
    expect(said).toEqual([
      ["2026-03-06 03:07:09", "2026-07-06 03:07:09"],
      ["2026-03-05 13:07:09", "2026-07-05 14:07:09"],
      ["2026-03-05 23:37:09", "2026-07-05 23:37:09"],
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
