import { parseEvent } from "@terrarium/player";
import pino from "pino";
import { describe, expect, it } from "vitest";
import { FakeDisplay } from "../testing/fake-display.ts";
import { fakeShell } from "../testing/fake-shell.ts";
import { gamepadDescriptor, GamepadState } from "./gamepad-report.ts";
import type { GadgetCommand } from "./gadget.ts";
import { openGamepad } from "./gamepad.ts";

async function create(exitCode = 0) {
  const shell = fakeShell();
  const asked: string[] = [];
  shell.answer = (words) => (asked.push(words.join(" ")), { stdout: "", exitCode });
  const display = new FakeDisplay();
  const { signal } = new AbortController();
  const parts = { kind: "handheld", sdkVersion: 30, isSimulated: false, broadcast: () => undefined } as const;
  const gamepad = await openGamepad(
    { ...parts, shell: shell.run, display, signal, log: pino({ level: "silent" }) },
    signal,
  );
  /** Somebody with controllers, and what they hear. */
  const viewer = () => {
    const heard: unknown[] = [];
    const reply = (message: string) => void heard.push((JSON.parse(message) as { message: unknown }).message);
    const send = (...messages: string[]) => {
      for (const command of parseEvent(JSON.stringify({ channel: "vinput", messages })) ?? [])
        gamepad?.handle(command as GadgetCommand, reply);
    };
    return { heard, send, leave: () => gamepad?.leave?.(reply) };
  };
  const ids = (type: "uhidCreate" | "uhidDestroy") => display.sent(type).map(({ id }) => id);
  return { asked, gamepad, display, viewer, ids };
}

describe("a controller", () => {
  it("is there where the shell may make one", async () => {
    expect((await create(1)).gamepad).toBeUndefined();
    const { gamepad, asked } = await create();
    expect(gamepad?.capabilities).toEqual(["gamepad"]);
    expect(asked).toEqual(["test -w /dev/uhid"]);
  });

  it("is plugged in, confirmed, pressed and unplugged", async () => {
    const { display, viewer, ids } = await create();
    const { heard, send } = viewer();
    send("gamepad_plugin 2 Some_Pad_✓ 1118 654");
    expect(heard).toEqual(["gamepad_plugin_confirmation 2 0"]);
    expect(display.sent("uhidCreate")).toEqual([
      {
        type: "uhidCreate",
        id: 3,
        vendorId: 1118,
        productId: 654,
        name: "Some Pad",
        reportDescriptor: gamepadDescriptor,
      },
    ]);
    send("gamepad_press 0 0", "gamepad_press 0 0", "gamepad_axis 0 1 -1", "gamepad_axis 0 1 -1", "gamepad_release 0 0");
    expect(display.sent("uhidInput").map(({ data }) => [data[2], data[3], data[12]])).toEqual([
      [0, 0x80, 1],
      [0, 0, 1],
      [0, 0, 0],
    ]);
    send("gamepad_plugin 2 Some_Pad 1118 654");
    expect(ids("uhidCreate")).toEqual([3]);
    send("gamepad_plugout 0", "gamepad_press 0 0");
    expect(ids("uhidDestroy")).toEqual([3]);
    expect(display.sent("uhidInput")).toHaveLength(3);
  });

  it("is its viewer's own, goes with them, and nobody has more than four", async () => {
    const { viewer, ids, display } = await create();
    const [one, other, third] = [viewer(), viewer(), viewer()];
    one.send("gamepad_plugin 0 A 1 1");
    other.send("gamepad_plugin 0 B 1 1", "gamepad_press 0 1", "gamepad_plugout 0");
    expect(other.heard).toEqual(["gamepad_plugin_confirmation 0 1"]);
    expect([display.sent("uhidInput"), ids("uhidDestroy")]).toEqual([[], []]);
    for (let index = 1; index < 9; index++) one.send(`gamepad_plugin ${index} A 1 1`);
    expect(one.heard).toHaveLength(4);
    for (let index = 1; index < 9; index++) other.send(`gamepad_plugin ${index} B 1 1`);
    third.send("gamepad_plugin 0 C 1 1");
    expect([other.heard.length, third.heard.length]).toEqual([4, 0]);
    one.leave();
    expect(ids("uhidDestroy")).toEqual([3, 5, 6, 7]);
    third.send("gamepad_plugin 0 C 1 1");
    expect(third.heard).toEqual(["gamepad_plugin_confirmation 0 0"]);
  });

  it("without a name has one", async () => {
    const { viewer, display } = await create();
    viewer().send("gamepad_plugin 0 ___ 0 0");
    expect(display.sent("uhidCreate")[0]?.name).toBe("Gamepad");
  });
});

describe("a report", () => {
  const of = (buttons: number[], axes: [number, number][] = []) => {
    const state = new GamepadState();
    for (const button of buttons) state.press(button, true);
    for (const [axis, value] of axes) state.move(axis, value);
    return [...state.report()];
  };
  const centre = [0, 0x80, 0, 0x80, 0, 0x80, 0, 0x80];
  it.each([
    ["nothing", of([]), [...centre, 0, 0, 0, 0, 0, 0, 0]],
    [
      "all four sides of the sticks",
      of(
        [],
        [
          [0, -1],
          [1, 1],
          [2, 0.5],
          [3, -0.5],
        ],
      ),
      [0, 0, 255, 255, 0, 192, 0, 64, 0, 0, 0, 0, 0, 0, 0],
    ],
    ["both triggers", of([6, 7]), [...centre, 255, 127, 255, 127, 0, 0, 0]],
    ["A, B, X, Y", of([0, 1, 2, 3]), [...centre, 0, 0, 0, 0, 0b11011, 0, 0]],
    ["shoulders, select, start, sticks, home", of([4, 5, 8, 9, 10, 11, 16]), [...centre, 0, 0, 0, 0, 0xc0, 0x7c, 0]],
    ["up and right", of([12, 15]), [...centre, 0, 0, 0, 0, 0, 0, 2]],
    ["down", of([13]), [...centre, 0, 0, 0, 0, 0, 0, 5]],
    ["left and up", of([14, 12]), [...centre, 0, 0, 0, 0, 0, 0, 8]],
    ["left and right", of([14, 15]), [...centre, 0, 0, 0, 0, 0, 0, 0]],
    ["what no controller has", of([40], [[9, 1]]), [...centre, 0, 0, 0, 0, 0, 0, 0]],
  ])("has %s", (_, report, expected) => expect(report).toEqual(expected));
});
