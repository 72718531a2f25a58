import { describe, expect, it } from "vitest";
import { z } from "zod";
import { settingsTable, withTable } from "./table.ts";

describe("the table of settings", () => {
  it("lists each variable with its default", () => {
    const schema = z.object({
      PORT: z.coerce.number().default(80).describe("where it listens"),
      URL: z.url().optional().meta({ description: "how it is reached", shown: "as requested" }),
      FILE: z.string().optional().describe("more of it"),
      NODE_ENV: z.string().optional(),
    });
    expect(
      settingsTable([schema, z.object({ MAX: z.number().default(3).describe("at most") })])
        .split("\n")
        .slice(2),
    ).toEqual([
      "| `PORT` | `80` | where it listens |",
      "| `URL` | as requested | how it is reached |",
      "| `FILE` |  | more of it |",
      "| `MAX` | `3` | at most |",
    ]);
  });

  it("requires a description of each variable", () => {
    expect(() => settingsTable([z.object({ PORT: z.number().default(1) })])).toThrow("PORT has no description");
  });

  it("replaces the old table", () => {
    const text = "a\n<!-- settings: npm run generate -->\nold\n<!-- /settings -->\nb\n";
    expect(withTable(text, "new")).toBe("a\n<!-- settings: npm run generate -->\n\nnew\n\n<!-- /settings -->\nb\n");
    expect(() => withTable("a", "new")).toThrow("there is no <!-- settings");
  });
});
