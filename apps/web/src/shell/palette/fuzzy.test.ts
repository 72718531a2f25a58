import { describe, expect, it } from "vitest";
import { recentFirst, type Command } from "./command.ts";
import { matching, scoreOf } from "./fuzzy.ts";

const titled = (...titles: string[]) => titles.map((title) => ({ title }));
const found = (typed: string, ...titles: string[]) => matching(typed, titled(...titles)).map(({ title }) => title);

describe("matching", () => {
  it("puts a beginning before the beginning of a word, a part, and letters in order", () => {
    expect(found("rec", "Roll each change", "Correct", "My recipes", "Recipes")).toEqual([
      "Recipes",
      "My recipes",
      "Correct",
      "Roll each change",
    ]);
  });

  it("forgives letters that are left out, case and accents", () => {
    expect(found("HWPRF", "Hardware profiles", "Images")).toEqual(["Hardware profiles"]);
    expect(found("zoe", "Zoë Fern")).toEqual(["Zoë Fern"]);
  });

  it("wants each word, in any order", () => {
    expect(found("theme dark", "Dark theme", "Light theme")).toEqual(["Dark theme"]);
  });

  it("wants more than two scattered letters", () => {
    expect(scoreOf("vd", "Virtual devices")).toBe(undefined);
    expect(scoreOf("vdv", "Virtual devices")).toBeGreaterThan(0);
  });

  it("looks at further words too", () => {
    expect(matching("log out", [{ title: "Sign out", words: "log out" }])).toHaveLength(1);
  });
});

describe("what was used recently", () => {
  it("comes first, the latest before the others, and not twice", () => {
    const commands = ["a", "b", "c"].map((id) => ({ id, group: "go" }) as Command);
    const shown = recentFirst(commands, ["c", "gone", "a"]);
    expect(shown.map(({ id, group }) => `${group} ${id}`)).toEqual(["recent c", "recent a", "go b"]);
  });
});
