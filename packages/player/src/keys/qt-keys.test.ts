import { describe, expect, it } from "vitest";
import { androidKeyOf } from "./qt-keys.ts";

/** Qt's number, the player's own button or a key, Android's number. */
const rows: [string, number, boolean, number | undefined][] = [
  ["Escape", 0x01000000, false, 111],
  ["Tab", 0x01000001, false, 61],
  ["Backspace", 0x01000003, false, 67],
  ["Enter", 0x01000005, false, 66],
  ["Insert", 0x01000006, false, 124],
  ["Delete", 0x01000007, false, 112],
  ["the Home key", 0x01000010, false, 122],
  ["the home button", 0x01000010, true, 3],
  ["End", 0x01000011, false, 123],
  ["Left", 0x01000012, false, 21],
  ["Up", 0x01000013, false, 19],
  ["Right", 0x01000014, false, 22],
  ["Down", 0x01000015, false, 20],
  ["PageUp", 0x01000016, false, 92],
  ["PageDown", 0x01000017, false, 93],
  ["Shift", 0x01000020, false, 59],
  ["Ctrl", 0x01000021, false, 113],
  ["Meta", 16777250, false, 117],
  ["Alt", 0x01000023, false, 57],
  ["CapsLock", 0x01000024, false, 115],
  ["Space", 0x20, false, 62],
  ["Copy", 0x010000cf, false, 278],
  ["Cut", 0x010000d0, false, 277],
  ["Paste", 0x010000e2, false, 279],
  ["the volume up button", 16777330, true, 24],
  ["the volume down button", 16777328, true, 25],
  ["the recents button", 16777406, true, 187],
  ["the back button", 16777313, true, 4],
  ["the power button", 16777483, true, 26],
  ["the home button of player 4.3", 0x01000090, true, 3],
  ["F1", 0x01000030, false, undefined],
  ["nothing at all", 0x7fffffff, false, undefined],
];

describe("androidKeyOf", () => {
  for (const [what, qtKey, toolbar, keyCode] of rows)
    it(`gives ${keyCode ?? "nothing"} for ${what}`, () => expect(androidKeyOf({ qtKey, toolbar })).toBe(keyCode));
});
