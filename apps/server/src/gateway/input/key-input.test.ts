import type { ControlMessage } from "@terrarium/scrcpy";
import { describe, expect, it } from "vitest";
import { KeyInput } from "./key-input.ts";

const SHIFT = 0x01000020;
const CTRL = 0x01000021;
const BACKSPACE = 0x01000003;

function create(typesAll = true) {
  const sent: ControlMessage[] = [];
  const keys = new KeyInput(
    (message) => sent.push(message),
    () => typesAll,
  );
  const press = (qtKey: number, text = "", toolbar = false) =>
    keys.handle({ type: "key", action: "press", qtKey, text, toolbar });
  const release = (qtKey: number, text = "", toolbar = false) =>
    keys.handle({ type: "key", action: "release", qtKey, text, toolbar });
  const events = () =>
    sent.map((message) => {
      if (message.type === "text") return `text ${message.text}`;
      if (message.type !== "key") return message.type;
      return `${message.action} ${message.keyCode} repeat ${message.repeat} meta ${message.metaState.toString(16)}`;
    });
  return { keys, press, release, events };
}

describe("KeyInput", () => {
  it("types a character once, when it is pressed", () => {
    const { press, release, events } = create();
    press(233, "é");
    release(233, "é");
    expect(events()).toEqual(["text é"]);
  });

  it("pastes what Android's own keyboard does not have, where that is all there is", () => {
    for (const [typesAll, kinds] of [
      [true, ["text é", "text 漢", "text 🌱"]],
      [false, ["text é", "setClipboard", "setClipboard"]],
    ] as const) {
      const { press, events } = create(typesAll);
      for (const text of ["é", "漢", "🌱"]) press(text.codePointAt(0) ?? 0, text);
      expect(events()).toEqual(kinds);
    }
  });

  it("holds and lets go of keys, and counts repeats", () => {
    const { press, release, events } = create();
    press(BACKSPACE);
    press(BACKSPACE);
    release(BACKSPACE);
    expect(events()).toEqual(["down 67 repeat 0 meta 0", "down 67 repeat 1 meta 0", "up 67 repeat 0 meta 0"]);
  });

  it("presses the buttons of the toolbar", () => {
    const { press, release, events } = create();
    press(0x01000010, "", true);
    release(0x01000010, "", true);
    expect(events()).toEqual(["down 3 repeat 0 meta 0", "up 3 repeat 0 meta 0"]);
  });

  it("sends which modifiers are held", () => {
    const { press, release, events } = create();
    press(SHIFT);
    press(0x01000012);
    release(0x01000012);
    release(SHIFT);
    expect(events()).toEqual([
      "down 59 repeat 0 meta 41",
      "down 21 repeat 0 meta 41",
      "up 21 repeat 0 meta 41",
      "up 59 repeat 0 meta 0",
    ]);
  });

  it("takes a letter for a shortcut while Ctrl is held, and for text while Shift is", () => {
    const { press, release, events } = create();
    press(SHIFT);
    press(65, "A");
    release(SHIFT);
    press(CTRL);
    press(97, "a");
    release(97, "a");
    release(CTRL);
    expect(events().slice(1)).toEqual([
      "text A",
      "up 59 repeat 0 meta 0",
      "down 113 repeat 0 meta 3000",
      "down 29 repeat 0 meta 3000",
      "up 29 repeat 0 meta 3000",
      "up 113 repeat 0 meta 0",
    ]);
  });

  it("ignores keys that Android does not have, and releases of keys that are not held", () => {
    const { press, release, events } = create();
    press(0x01000030);
    release(BACKSPACE);
    expect(events()).toEqual([]);
  });

  it("lets go of all keys of a viewer that is gone", () => {
    const { keys, press, events } = create();
    press(CTRL);
    press(BACKSPACE);
    keys.release();
    keys.release();
    expect(events().slice(2)).toEqual(["up 113 repeat 0 meta 0", "up 67 repeat 0 meta 0"]);
  });
});
