import { describe, expect, it } from "vitest";
import { nextIndex, tools } from "./toolbar-items.ts";

describe("the toolbar", () => {
  it("gives each tool a key of its own", () => {
    expect(new Set(tools.map(({ shortcut }) => shortcut)).size).toBe(tools.length);
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
