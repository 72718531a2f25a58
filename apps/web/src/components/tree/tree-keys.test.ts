import { describe, expect, it } from "vitest";
import { stepOf, TypeAhead } from "./tree-keys.ts";
import { rowsOf, type TreeItem } from "./tree-rows.ts";

const item = (name: string, ...children: TreeItem[]): TreeItem => ({ id: name, name, data: undefined, children });
const tree = [item("Mobile", item("Android", item("Payments")), item("Alpha")), item("Web", item("Shop"))];
const rows = rowsOf(tree, (id) => id === "Mobile");

describe("a key in a tree", () => {
  it.each([
    ["down", "Mobile", "ArrowDown", { focus: "Android" }],
    ["down from the last", "Web", "ArrowDown", undefined],
    ["up", "Android", "ArrowUp", { focus: "Mobile" }],
    ["up from the first", "Mobile", "ArrowUp", undefined],
    ["to the first", "Web", "Home", { focus: "Mobile" }],
    ["to the last", "Mobile", "End", { focus: "Web" }],
    ["right opens", "Android", "ArrowRight", { open: ["Android"] }],
    ["right goes into what is open", "Mobile", "ArrowRight", { focus: "Android" }],
    ["right does nothing where nothing is below", "Alpha", "ArrowRight", undefined],
    ["left closes", "Mobile", "ArrowLeft", { close: "Mobile" }],
    ["left goes to what is above", "Android", "ArrowLeft", { focus: "Mobile" }],
    ["left does nothing on a closed one at the top", "Web", "ArrowLeft", undefined],
    ["a star opens all siblings", "Mobile", "*", { open: ["Web"] }],
    ["another key does nothing", "Mobile", "PageUp", undefined],
    ["no key does anything for a row that is gone", "Payments", "ArrowDown", undefined],
  ])("%s", (_, at, key, step) => expect(stepOf(rows, at, key)).toEqual(step));
});

describe("type-ahead", () => {
  it("goes to the next name that begins with a letter, and from the last to the first", () => {
    const typed = new TypeAhead();
    expect(typed.find(rows, "Mobile", "a", 1000)).toBe("Android");
    expect(typed.find(rows, "Android", "a", 2000)).toBe("Alpha");
    expect(typed.find(rows, "Alpha", "A", 3000)).toBe("Android");
  });

  it("takes letters that follow at once for one name", () => {
    const typed = new TypeAhead();
    expect(typed.find(rows, "Mobile", "a", 1000)).toBe("Android");
    expect(typed.find(rows, "Android", "n", 1200)).toBe("Android");
    expect(typed.find(rows, "Android", "x", 1400)).toBeUndefined();
    expect(typed.find(rows, "Android", "w", 2000)).toBe("Web");
  });

  it("knows whether a space belongs to a name", () => {
    const typed = new TypeAhead();
    expect(typed.isTyping(1000)).toBe(false);
    typed.find(rows, "Mobile", "a", 1000);
    expect(typed.isTyping(1300)).toBe(true);
    expect(typed.isTyping(1600)).toBe(false);
  });
});
