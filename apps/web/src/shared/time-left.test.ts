import { describe, expect, it } from "vitest";
import { timeLeft } from "./time-left.ts";

const now = Date.parse("2026-03-02T09:00:00Z");

describe("timeLeft", () => {
  it.each([
    ["2026-03-02T11:05:09Z", "2:05:09", "neutral"],
    ["2026-03-02T09:24:31Z", "24:31", "neutral"],
    ["2026-03-02T09:05:00Z", "5:00", "neutral"],
    ["2026-03-02T09:04:59.999Z", "4:59", "warning"],
    ["2026-03-02T09:01:00Z", "1:00", "warning"],
    ["2026-03-02T09:00:59.500Z", "0:59", "error"],
    ["2026-03-02T08:00:00Z", "0:00", "error"],
  ])("until %s is %s, %s", (stopsAt, text, tone) => {
    expect(timeLeft(stopsAt, now)).toEqual({ text, tone });
  });
});
