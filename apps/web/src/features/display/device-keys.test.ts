import { describe, expect, it } from "vitest";
import { pressMessage, releaseMessage } from "./device-keys.ts";

describe("the device's keys", () => {
  it.each([
    ["volumeUp", 16777330],
    ["volumeDown", 16777328],
    ["recents", 16777406],
    ["home", 16777232],
    ["back", 16777313],
    ["power", 16777483],
  ] as const)("%s goes down and up as %i", (key, keycode) => {
    expect(pressMessage(key)).toEqual({ type: "KEYBOARD_PRESS", keychar: "0\n", keycode });
    expect(releaseMessage(key)).toEqual({ type: "KEYBOARD_RELEASE", keychar: "0\n", keycode });
  });
});
