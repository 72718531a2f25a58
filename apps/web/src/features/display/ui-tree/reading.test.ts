import type { UiNode } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { type Reading, readingOf } from "./reading.ts";

const a = (name: string, more: Partial<UiNode> = {}): UiNode => ({
  class: `android.widget.${name}`,
  bounds: [0, 0, 9, 9],
  ...more,
});
const text = (words: string, more: Partial<UiNode> = {}) => a("TextView", { text: words, ...more });
const press = { flags: ["clickable"] };

const told = (readings: readonly Reading[]): unknown[] =>
  readings.map(({ kind, name, isChecked, items }) =>
    items ? [kind, name, ...items.map(told)] : [kind, name, ...(isChecked === undefined ? [] : [isChecked])],
  );
const read = (...children: UiNode[]) => told(readingOf(a("FrameLayout", { children })));

describe("what is read of a screen", () => {
  it.each<[string, UiNode, unknown[]]>([
    ["words", text("Battery"), ["text", "Battery"]],
    ["a picture", a("ImageView", { description: "A fern" }), ["image", "A fern"]],
    ["a button", a("Button", { text: "OK" }), ["button", "OK"]],
    ["what can be pressed", text("More", press), ["button", "More"]],
    ["a picture that can be pressed", a("ImageView", { description: "Back", ...press }), ["button", "Back"]],
    ["what has an id for a name", a("ImageButton", { id: "p:id/add_note" }), ["button", "add note"]],
    ["what has none", a("ImageButton"), ["button", ""]],
    [
      "a box",
      a("CheckBox", { text: "Agree", flags: ["checkable", "checked", "clickable"] }),
      ["checkbox", "Agree", true],
    ],
    ["a switch", a("Switch", { description: "Wi-Fi", flags: ["checkable"] }), ["switch", "Wi-Fi", false]],
    ["one of several", a("RadioButton", { text: "Red", flags: ["checkable"] }), ["radio", "Red", false]],
    ["a field", a("EditText", { hint: "Your name", text: "Mara", ...press }), ["field", "Your name"]],
    ["a title", text("Settings", { id: "android:id/action_bar_title" }), ["heading", "Settings"]],
    ["a bar's words", a("Toolbar", { children: [text("Notes")] }), ["heading", "Notes"]],
  ])("is %s", (_, node, expected) => expect(read(node)).toEqual([expected]));

  it("is nothing that says nothing or has no room", () =>
    expect(
      read(a("View"), text("gone", { bounds: [3, 3, 3, 9] }), a("LinearLayout", { children: [text("in")] })),
    ).toEqual([["text", "in"]]));

  it("is a row as one thing, with the state of the switch in it", () => {
    const row = (flags: string[]) =>
      a("LinearLayout", {
        ...press,
        children: [text("Dark theme"), text("Off at dawn"), a("Switch", { text: "ON", flags })],
      });
    expect(read(row(["checkable", "checked"]))).toEqual([["switch", "Dark theme, Off at dawn", true]]);
    // Each can be pressed for itself.
    expect(read(row(["checkable", "clickable"]))).toEqual([
      ["button", "Dark theme, Off at dawn"],
      ["switch", "ON", false],
    ]);
  });

  it("is a page that can be pressed as its things", () => {
    const words = Array.from({ length: 9 }, (_, at) => text(`${at}`));
    expect(read(a("FrameLayout", { ...press, children: words }))).toHaveLength(9);
  });

  it("is a list with its rows, and how to scroll it", () => {
    const list = a("RecyclerView", {
      flags: ["scrollable"],
      children: [text("One"), a("View"), a("LinearLayout", { ...press, children: [text("Two")] })],
    });
    expect(read(list)).toEqual([
      ["list", "", [["text", "One"]], [["button", "Two"]]],
      ["scroll", ""],
    ]);
  });

  it("has keys that stay with the things, however often one is there", () => {
    const keys = (...children: UiNode[]) => readingOf(a("FrameLayout", { children })).map(({ key }) => key);
    const [before, after] = [keys(text("a"), text("b"), text("a")), keys(text("new"), text("a"), text("b"), text("a"))];
    expect(after.slice(1)).toEqual(before);
    expect(new Set(after).size).toBe(4);
    // What is typed into a field does not make another of it.
    const field = (words: string) => a("EditText", { id: "p:id/name", text: words });
    expect(keys(field("a"))).toEqual(keys(field("ab")));
  });
});
