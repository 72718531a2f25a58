import type { BatteryState } from "@terrarium/player";
import pino from "pino";
import { describe, expect, it } from "vitest";
import { FakeDisplay } from "../testing/fake-display.ts";
import { fakeShell } from "../testing/fake-shell.ts";
import { settled } from "../testing/settled.ts";
import { openBattery, parseBattery } from "./battery.ts";
import type { DeviceKind } from "./device-kind.ts";
import type { GadgetDevice } from "./gadget.ts";

async function create(kind: DeviceKind = "handheld") {
  const shell = fakeShell();
  const heard: unknown[] = [];
  const hear = (message: string) => void heard.push((JSON.parse(message) as { message: unknown }).message);
  const over = new AbortController();
  const device: GadgetDevice = {
    kind,
    sdkVersion: 30,
    isSimulated: false,
    shell: (command, options) => shell.run(command, options),
    display: new FakeDisplay(),
    broadcast: hear,
    signal: over.signal,
    log: pino({ level: "silent" }),
  };
  const battery = await openBattery(device, over.signal);
  shell.commands.length = 0;
  const level = (percent: number) =>
    battery?.handle({ channel: "battery", type: "batteryLevel", percent }, () => undefined);
  const status = (word: "charging" | "discharging") =>
    battery?.handle({ channel: "battery", type: "batteryStatus", status: word }, () => undefined);
  return { shell, heard, hear, battery, over, level, status };
}

describe("a battery", () => {
  it("introduces itself as the device says it is", async () => {
    const { battery, heard, hear } = await create();
    battery?.introduce?.(hear);
    expect(heard).toEqual(["state mode discharging 86"]);
  });

  for (const kind of ["tv", "car"] as const)
    it(`is none on a ${kind}, whatever Android says of one`, async () =>
      expect((await create(kind)).battery).toBeUndefined());

  it("is set as asked, and everybody hears what came of it", async () => {
    const { shell, level, status, heard } = await create();
    level(42);
    status("charging");
    await settled();
    expect(shell.commands).toEqual(["set level 42", "set status 2", ""]);
    expect(heard).toEqual(["state mode charging 42"]);
  });

  it("goes to the last of a slider's many steps", async () => {
    const { shell, level, heard } = await create();
    level(1);
    await Promise.resolve();
    for (let step = 2; step <= 50; step++) level(step);
    await settled();
    expect(shell.commands).toEqual(["set level 1", "", "set level 50", ""]);
    expect(heard.at(-1)).toBe("state mode discharging 50");
  });

  it("shows what is true when the device refuses, and goes on", async () => {
    const { shell, level, heard } = await create();
    const { run } = shell;
    shell.run = async (command) =>
      command.includes("set") ? { stdout: "", stderr: "no", exitCode: 255 } : run(command);
    level(1);
    await settled();
    expect(heard).toEqual(["state mode discharging 86"]);
    shell.run = run;
    level(2);
    await settled();
    expect(heard.at(-1)).toBe("state mode discharging 2");
  });

  it("asks nothing of a device that is over", async () => {
    const { shell, level, over } = await create();
    over.abort();
    level(1);
    await settled();
    expect(shell.commands).toEqual([]);
  });
});

describe("parseBattery", () => {
  const rows: [string, BatteryState | undefined][] = [
    ["  status: 2\n  level: 0\n", { level: 0, status: "charging" }],
    ["  status: 5\n  level: 100\n", { level: 100, status: "full" }],
    ["  status: 4\n  level: 7\n", { level: 7, status: "discharging" }],
    ["  present: true\n  level: 7\n", { level: 7, status: "discharging" }],
    ["  level: 7\r\n", { level: 7, status: "discharging" }],
    ["  present: false\n  level: 7\n", undefined],
    ["  level: 101\n", undefined],
    ["", undefined],
  ];
  for (const [text, state] of rows)
    it(`reads ${JSON.stringify(text)}`, () => expect(parseBattery(text)).toEqual(state));
});
