import { describe, expect, it } from "vitest";
import { batteryMessage, batteryOf } from "./Battery.tsx";

describe("batteryMessage", () => {
  it("always sends level and status", () => {
    expect(batteryMessage({ level: 41.6, isCharging: false })).toEqual({
      channel: "battery",
      messages: ["set state level 42", "set state status discharging"],
    });
    expect(batteryMessage({ level: 5, isCharging: true }).messages[1]).toBe("set state status charging");
  });
});

describe("batteryOf", () => {
  it.each([
    ["state mode charging 73", { level: 73, isCharging: true }],
    ["discharging 0", { level: 0, isCharging: false }],
    ["state full 100", { level: 100, isCharging: true }],
    ["state charging 101", undefined],
    ["state charging much", undefined],
    ["73", undefined],
    ["", undefined],
    [{ level: 3 }, undefined],
  ])("reads %j", (report, battery) => {
    expect(batteryOf(report)).toEqual(battery);
  });
});
