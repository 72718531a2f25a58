import { describe, expect, it } from "vitest";
import { adbInputs } from "./adb-input.ts";

const recorded = (command: string) =>
  adbInputs(command, 0).map((event) => (event.type === "adb" ? event.command : event.type));

describe("what adb runs on a device", () => {
  it.each([
    "input tap 5 7",
    "input  swipe 1 2 3.5 -4 500",
    "input touchscreen draganddrop 1 2 3 4 900",
    "input trackball roll 1 1",
    "input press",
    "input motionevent DOWN 3 4",
    "input keyevent KEYCODE_HOME",
    "input keyevent 4",
  ])("is recorded: %s", (command) => {
    expect(recorded(`${command} && ls`)).toEqual([command]);
  });

  it.each([
    "input text secret",
    'input "text" secret',
    "input text 'a;input x secret'",
    "input text 'a;input tap 1 2 secret'",
    "input keyevent 29",
    "input keyevent 4 29 30",
    "input keyevent --longpress KEYCODE_A",
    "input keyboard text secret",
    "input keycombination 59 29",
    "input tap 5 7 secret",
    "/system/bin/input text secret",
    "'input' text secret",
    "input -d 0 text secret",
    "input tap $(cat secret)",
  ])("is typing, of which nothing is kept: %s", (command) => {
    expect(new Set(recorded(command))).toEqual(new Set(["typing"]));
  });

  it("is nothing where it is no input", () => {
    expect(recorded("pm list packages; dumpsys input; getevent /dev/input/event1")).toEqual([]);
  });
});
