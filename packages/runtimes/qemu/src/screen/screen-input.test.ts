import type { ControlMessage, TouchAction } from "@terrarium/scrcpy";
import { expect, it } from "vitest";
import { ScreenInput } from "./screen-input.ts";

/** What is done to tablet and keyboard of a screen of 720 by 1280: `[buttons, x, y]` or `key down`. */
function create() {
  const done: (string | number[])[] = [];
  const send = (bytes: Uint8Array) => {
    const message = Buffer.from(bytes);
    if (message[0] === 5) done.push([message[1]!, message.readUInt16BE(2), message.readUInt16BE(4)]);
    else done.push(`${message.readUInt32BE(8).toString(16)} ${message[3] === 1 ? "down" : "up"}`);
  };
  return { input: new ScreenInput(send, () => ({ width: 720, height: 1280 })), done };
}
const touch = (action: TouchAction, pointerId: bigint, x: number, buttons = 0): ControlMessage => {
  const position = { x, y: 320, width: 360, height: 640 };
  return { type: "touch", action, pointerId, position, pressure: 1, actionButton: 0, buttons };
};
const key = (action: "down" | "up", keyCode: number): ControlMessage => ({
  type: "key",
  action,
  keyCode,
  repeat: 0,
  metaState: 0,
});

it("follows the first finger, in pixels of the screen and within it, and a mouse with its buttons", () => {
  const { input, done } = create();
  for (const [action, id, x] of [
    ["down", 1n, 90],
    ["down", 2n, 10],
    ["move", 1n, 999],
    ["up", 2n, 10],
    ["up", 1n, 0],
    ["move", 1n, 5],
  ] as const)
    input.handle(touch(action, id, x));
  input.handle(touch("hoverMove", -1n, 1));
  input.handle(touch("down", -1n, 1, 2));
  expect(done).toEqual([
    [1, 180, 640],
    [1, 719, 640],
    [0, 0, 640],
    [0, 2, 640],
    [4, 2, 640],
  ]);
});

it("types with the keys of a keyboard, and turns its wheel", () => {
  const { input, done } = create();
  input.handle({ type: "text", text: "aÄ?" });
  input.handle(key("down", 187));
  input.handle(key("up", 187));
  input.handle({ type: "backOrScreenOn", action: "down" });
  input.handle({ type: "rotate" });
  const position = { x: 0, y: 0, width: 360, height: 640 };
  input.handle({ type: "scroll", position, horizontal: 0, vertical: -1.5, buttons: 0 });
  expect(done).toEqual([
    ..."1e down,1e up,2a down,35 down,35 up,2a up,db down,f down,f up,db up,ea down".split(","),
    [16, 0, 0],
    [0, 0, 0],
    [16, 0, 0],
    [0, 0, 0],
  ]);
});

it("lifts what is down when whoever was there has gone", () => {
  const { input, done } = create();
  input.handle(touch("down", 1n, 0));
  input.handle(key("down", 29));
  done.length = 0;
  input.release();
  input.release();
  expect(done).toEqual([[0, 0, 640], "1e up"]);
});
