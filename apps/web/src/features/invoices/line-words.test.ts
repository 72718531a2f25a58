import { expect, it } from "vitest";
import { durationWords, utcTime } from "./line-words.ts";

it.each([
  [0, "0 s"],
  [59, "59 s"],
  [60, "1 min"],
  [61, "1 min 1 s"],
  [5_400, "1 h 30 min"],
  [3_600 + 59, "1 h"],
  [7 * 86_400, "7 d"],
  [90_000, "1 d 1 h"],
])("says %i seconds as %s", (seconds, words) => expect(durationWords(seconds)).toBe(words));

it("writes a time as it is in UTC", () => expect(utcTime("2026-03-05T23:59:09.123Z")).toBe("2026-03-05 23:59:09"));
