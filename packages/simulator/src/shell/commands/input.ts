import { type Command, type Commands, type Invocation, UsageError } from "../invocation.ts";
import { keyCodeOf } from "./key-codes.ts";

const POINTER = 0;
const STEP_MS = 16;
const DEFAULT_SWIPE_MS = 300;
const MAX_SWIPE_MS = 60_000;
const LONG_PRESS_MS = 600;
const sources = new Set([
  "touchscreen",
  "keyboard",
  "touchpad",
  "mouse",
  "dpad",
  "trackball",
  "stylus",
  "touchnavigation",
  "joystick",
  "gamepad",
]);

function numbers(args: readonly string[], count: number): number[] {
  const values = args.slice(0, count).map(Number);
  if (values.length < count || values.some((value) => !Number.isFinite(value)))
    throw new UsageError("Error: Invalid arguments for command", 255);
  return values;
}

async function swipe(call: Invocation, [x1, y1, x2, y2]: number[], ms: number): Promise<void> {
  const { display, clock } = call.device;
  if (!(ms >= 0 && ms <= MAX_SWIPE_MS)) throw new UsageError("Error: Invalid duration", 255);
  const touch = (action: "down" | "move" | "up" | "cancel", part: number) => {
    const { x, y } = display.place(x1! + (x2! - x1!) * part, y1! + (y2! - y1!) * part);
    display.screen.touch(action, POINTER, x, y);
  };
  touch("down", 0);
  try {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      touch("move", passed / ms);
      await clock.sleep(Math.min(STEP_MS, ms - passed), call.signal);
    }
    touch("move", 1);
    touch("up", 1);
  } catch (error) {
    if (!call.device.ended.aborted) touch("cancel", 1);
    throw error;
  }
}

const verbs: Record<string, Command> = {
  tap: (call) => {
    const [left, top] = numbers(call.args, 2);
    const { screen } = call.device.display;
    const { x, y } = call.device.display.place(left!, top!);
    screen.touch("down", POINTER, x, y);
    screen.touch("up", POINTER, x, y);
    return 0;
  },

  swipe: async (call) => {
    await swipe(call, numbers(call.args, 4), Number(call.args[4] ?? DEFAULT_SWIPE_MS));
    return 0;
  },

  draganddrop: async (call) => {
    await swipe(call, numbers(call.args, 4), Number(call.args[4] ?? LONG_PRESS_MS));
    return 0;
  },

  text: (call) => {
    if (call.args.length === 0) throw new UsageError("Error: Invalid arguments for command: text", 255);
    // A space is written as `%s` (AOSP InputShellCommand.sendText).
    const text = call.args.join(" ").replaceAll("%s", " ");
    call.device.display.screen.text(text);
    return 0;
  },

  keyevent: async (call) => {
    const codes = call.args.filter((arg) => !arg.startsWith("--"));
    const long = call.args.includes("--longpress");
    if (codes.length === 0) throw new UsageError("Error: Invalid arguments for command: keyevent", 255);
    for (const name of codes) {
      const code = keyCodeOf(name);
      if (code === undefined) throw new UsageError(`Error: Unknown keycode: ${name}`, 255);
      call.device.display.screen.key("down", code, 0);
      if (long) await call.device.clock.sleep(LONG_PRESS_MS, call.signal);
      call.device.display.screen.key("up", code, 0);
    }
    return 0;
  },
};

export const input: Commands = {
  input: async (call) => {
    const args = [...call.args];
    while (sources.has(args[0] ?? "")) args.shift();
    if (args[0] === "-d") args.splice(0, 2);
    const verb = args.shift();
    const act = verb === undefined ? undefined : verbs[verb];
    if (act) return act({ ...call, args });
    await call.stderr.write(
      `${verb === undefined ? "" : `Error: Unknown command: ${verb}\n`}Usage: input [<source>] [-d DISPLAY_ID] <command> [<arg>...]\n\nThe commands are:\n` +
        "      text <string>\n      keyevent [--longpress] <key code number or name> ...\n      tap <x> <y>\n      swipe <x1> <y1> <x2> <y2> [duration(ms)]\n      draganddrop <x1> <y1> <x2> <y2> [duration(ms)]\n",
    );
    return 255;
  },
};
