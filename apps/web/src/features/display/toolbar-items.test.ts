import { describe, expect, it } from "vitest";
import { type Equipment, everyTool, gadgetTools, nextIndex, toolGroups } from "./toolbar-items.ts";

const phone: Equipment = { formFactor: "PHONE", capabilities: undefined };
const namesOf = (equipment: Equipment, isRow = false) =>
  toolGroups(equipment, isRow)
    .flat()
    .map(({ name }) => name);

describe("the toolbar", () => {
  it("gives each tool a key of its own", () => {
    const tools = toolGroups({ ...phone, capabilities: { sound: true }, hasTools: true }, false).flat();
    expect(new Set(tools.map(({ shortcut }) => shortcut)).size).toBe(tools.length);
  });

  it("has every tool of every device in the list of keys, each with a key of its own", () => {
    const listed = everyTool().map(({ name, shortcut }) => `${shortcut} ${name}`);
    expect(new Set(everyTool().map(({ shortcut }) => shortcut)).size).toBe(listed.length);
    const has = (formFactor: Equipment["formFactor"]) => {
      const equipment: Equipment = { formFactor, capabilities: undefined, hasTools: true };
      return [...toolGroups(equipment, false).flat(), ...gadgetTools(equipment, "more")];
    };
    for (const { name, shortcut } of [...has("PHONE"), ...has("TV")]) expect(listed).toContain(`${shortcut} ${name}`);
  });

  it("begins with the way back where it is a row, and has the same tools", () => {
    const row = namesOf(phone, true);
    expect(row.slice(0, 3)).toEqual(["back", "home", "recents"]);
    expect(new Set(row)).toEqual(new Set(namesOf(phone)));
  });

  it.each([
    ["PHONE", ["rotate", "battery", "recents"]],
    ["TABLET", ["rotate", "battery", "recents"]],
    ["WATCH", ["battery"]],
    ["CAR", []],
    ["TV", []],
  ] as const)("has no tool for what a %s does not have: of the three, %j", (formFactor, present) => {
    const names = namesOf({ formFactor, capabilities: undefined });
    expect(names.filter((name) => ["rotate", "battery", "recents"].includes(name))).toEqual(present);
    expect(names).toContain("home");
  });

  it("goes by what the device says, once it does", () => {
    expect(namesOf({ formFactor: "TV", capabilities: { battery: true, accelerometer: true } })).toEqual(
      expect.arrayContaining(["rotate", "battery"]),
    );
    const without = namesOf({ formFactor: "PHONE", capabilities: { accelerometer: false } });
    expect(without.filter((name) => name === "rotate" || name === "battery")).toEqual([]);
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
