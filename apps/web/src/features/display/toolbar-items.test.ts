import { describe, expect, it } from "vitest";
import { nextIndex, toolGroups } from "./toolbar-items.ts";

describe("the toolbar", () => {
  it("gives each tool a key of its own", () => {
    const tools = toolGroups(false).flat();
    expect(new Set(tools.map(({ shortcut }) => shortcut)).size).toBe(tools.length);
  });

  it("begins with the way back where it is a row, and has the same tools", () => {
    const row = toolGroups(true).flat();
    expect(row.slice(0, 3).map(({ name }) => name)).toEqual(["back", "home", "recents"]);
    expect(new Set(row)).toEqual(new Set(toolGroups(false).flat()));
  });

  it("leads around its ends", () => {
    expect(nextIndex("ArrowDown", 9, 10)).toBe(0);
    expect(nextIndex("ArrowUp", 0, 10)).toBe(9);
    expect(nextIndex("ArrowRight", 3, 10)).toBe(4);
    expect(nextIndex("ArrowLeft", 3, 10)).toBe(2);
    expect(nextIndex("Home", 3, 10)).toBe(0);
    expect(nextIndex("End", 3, 10)).toBe(9);
    expect(nextIndex("r", 3, 10)).toBeUndefined();
  });
});
