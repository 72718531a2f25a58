import { describe, expect, it } from "vitest";
import { keyMessages, pressMessage, releaseMessage } from "./device-keys.ts";

describe("keyMessages", () => {
  const press = (key: string, held: Partial<Record<"ctrlKey" | "altKey" | "metaKey" | "altGraph", true>> = {}) =>
    keyMessages({
      ctrlKey: false,
      altKey: false,
      metaKey: false,
      ...held,
      key,
      getModifierState: (name) => name === "AltGraph" && held.altGraph === true,
    });
  const chars = (messages: object[] | undefined) =>
    messages?.map((message) => (message as { keychar: string }).keychar);

  it("are a letter's for a shortcut", () => {
    expect(press("A", { ctrlKey: true })).toEqual([
      { type: "KEYBOARD_PRESS", keychar: "a", keycode: 97 },
      { type: "KEYBOARD_RELEASE", keychar: "a", keycode: 97 },
    ]);
    expect(chars(press("7", { altKey: true }))).toEqual(["7", "7"]);
  });

  it("hold Ctrl for a Mac's Command", () => expect(chars(press("z", { metaKey: true }))).toEqual(["", "z", "z", ""]));

  it.each([
    ["a", {}],
    ["?", {}],
    ["@", { ctrlKey: true, altKey: true, altGraph: true }],
    ["å", { altKey: true }],
    ["Dead", {}],
    ["Process", {}],
  ] as const)("leave %s with %j to the player, since it is text", (key, held) =>
    expect(press(key, held)).toBeUndefined(),
  );

  it.each([
    ["F3", {}],
    ["F5", {}],
    ["ContextMenu", {}],
    ["/", { ctrlKey: true }],
  ] as const)("keep %s with %j from the page, though the device has no use for it", (key, held) =>
    expect(press(key, held)).toEqual([]),
  );
});

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
