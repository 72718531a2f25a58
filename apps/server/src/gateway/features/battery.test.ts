import type { BatteryState } from "@terrarium/player";
import pino from "pino";
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { fakeBattery } from "../testing/fake-battery.ts";
import { settled } from "../testing/settled.ts";
import { Battery, parseBattery } from "./battery.ts";

function create() {
  const device = fakeBattery();
  const told: BatteryState[] = [];
  const over = new AbortController();
  const battery = new Battery({
    shell: (command, options) => device.shell(command, options),
    signal: over.signal,
    tell: (state) => told.push(state),
    log: pino({ level: "silent" }),
  });
  return { device, told, battery, over };
}

describe("Battery", () => {
  it("tells what the device says", async () => {
    const { battery, told } = create();
    assert.equal(battery.state, undefined);
    await battery.read();
    assert.deepEqual(told, [{ level: 86, status: "discharging" }]);
    assert.deepEqual(battery.state, { level: 86, status: "discharging" });
  });

  it("sets what is asked, then tells what came of it", async () => {
    const { device, battery, told } = create();
    battery.set({ level: 42 });
    battery.set({ status: "charging" });
    await settled();
    assert.deepEqual(device.commands, ["set level 42", "set status 2", ""]);
    assert.deepEqual(told, [{ level: 42, status: "charging" }]);
  });

  it("makes the last of many steps of a slider", async () => {
    const { device, battery } = create();
    battery.set({ level: 1 });
    await Promise.resolve();
    for (let level = 2; level <= 50; level++) battery.set({ level });
    await settled();
    assert.deepEqual(device.commands, ["set level 1", "", "set level 50", ""]);
    assert.equal(battery.state?.level, 50);
  });

  it("tells the truth when the device refuses, and goes on", async () => {
    const { device, battery, told } = create();
    const { shell } = device;
    device.shell = async (command) =>
      command.includes("set") ? { stdout: "", stderr: "no", exitCode: 255 } : shell(command);
    battery.set({ level: 1 });
    await settled();
    assert.deepEqual(told, [{ level: 86, status: "discharging" }]);
    device.shell = shell;
    battery.set({ level: 2 });
    await settled();
    assert.deepEqual(told.at(-1), { level: 2, status: "discharging" });
  });

  it("asks nothing of a device that is over", async () => {
    const { device, battery, over } = create();
    over.abort();
    battery.set({ level: 1 });
    await settled();
    assert.deepEqual(device.commands, []);
  });
});

describe("parseBattery", () => {
  const rows: [string, BatteryState | undefined][] = [
    ["  status: 2\n  level: 0\n", { level: 0, status: "charging" }],
    ["  status: 5\n  level: 100\n", { level: 100, status: "full" }],
    ["  status: 4\n  level: 7\n", { level: 7, status: "discharging" }],
    ["  level: 7\r\n", { level: 7, status: "discharging" }],
    ["  level: 101\n", undefined],
    ["", undefined],
  ];
  for (const [text, state] of rows)
    it(`reads ${JSON.stringify(text)}`, () => assert.deepEqual(parseBattery(text), state));
});
