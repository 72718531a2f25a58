import { describe, expect, it } from "vitest";
import { boundsOf, daysBetween, localTimesOf } from "./days.ts";

const HOUR_MS = 60 * 60 * 1000;
/** How many hours each of some days has. */
const hoursOf = (since: string, until: string, zone: string) => {
  const bounds = boundsOf(daysBetween(since, until), zone);
  return bounds.slice(1).map((end, index) => (end.getTime() - bounds[index]!.getTime()) / HOUR_MS);
};
const beginningOf = (day: string, zone: string) => boundsOf([day], zone)[0]?.toISOString();

describe("the days of a period", () => {
  it("are all from the first to the last, over a leap day", () => {
    expect(daysBetween("2028-02-28", "2028-03-01")).toEqual(["2028-02-28", "2028-02-29", "2028-03-01"]);
    expect(daysBetween("2026-03-05", "2026-03-05")).toEqual(["2026-03-05"]);
  });

  it("begin at midnight where they are", () => {
    expect(beginningOf("2026-07-01", "UTC")).toBe("2026-07-01T00:00:00.000Z");
    expect(beginningOf("2026-07-01", "Europe/Paris")).toBe("2026-06-30T22:00:00.000Z");
    expect(beginningOf("2026-07-01", "America/Los_Angeles")).toBe("2026-07-01T07:00:00.000Z");
    expect(beginningOf("2026-07-01", "Asia/Kathmandu")).toBe("2026-06-30T18:15:00.000Z");
    expect(beginningOf("2026-07-01", "Pacific/Kiritimati")).toBe("2026-06-30T10:00:00.000Z");
    expect(beginningOf("2026-07-01", "Pacific/Pago_Pago")).toBe("2026-07-01T11:00:00.000Z");
    expect(beginningOf("2026-07-01", "+05:30")).toBe("2026-06-30T18:30:00.000Z");
  });

  it("have 23 or 25 hours when the clock is changed", () => {
    expect(hoursOf("2026-03-28", "2026-03-30", "Europe/Paris")).toEqual([24, 23, 24]);
    expect(hoursOf("2026-10-24", "2026-10-26", "Europe/Paris")).toEqual([24, 25, 24]);
    expect(hoursOf("2026-11-01", "2026-11-01", "America/New_York")).toEqual([25]);
    // By half an hour.
    expect(hoursOf("2026-04-05", "2026-04-05", "Australia/Lord_Howe")).toEqual([24.5]);
  });

  it("begin at one where midnight is skipped, and have no hours where a day is", () => {
    expect(beginningOf("2018-11-04", "America/Sao_Paulo")).toBe("2018-11-04T03:00:00.000Z");
    expect(hoursOf("2018-11-03", "2018-11-05", "America/Sao_Paulo")).toEqual([24, 23, 24]);
    expect(hoursOf("2011-12-29", "2011-12-31", "Pacific/Apia")).toEqual([24, 0, 24]);
  });

  // A station in the Antarctic changes its clock by two hours.
  it("are 365 in every time zone, of 22 to 26 hours", () => {
    for (const zone of Intl.supportedValuesOf("timeZone")) {
      const hours = hoursOf("2026-01-01", "2026-12-31", zone);
      expect([zone, hours.length, hours.every((each) => each >= 22 && each <= 26)]).toEqual([zone, 365, true]);
    }
  });
});

it("says when something was as a clock shows it there", () => {
  const at = new Date("2026-03-05T23:07:09.999Z");
  expect(localTimesOf("UTC")(at)).toBe("2026-03-05 23:07:09");
  expect(localTimesOf("Europe/Paris")(at)).toBe("2026-03-06 00:07:09");
});
