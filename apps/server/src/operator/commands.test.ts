import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readCommand, UsageError } from "./commands.ts";

/** The tool as it is typed, where no server runs. */
function operator(...args: string[]) {
  const env = { ...process.env, DATABASE_URL: "", TERRARIUM_DATA_DIR: join(tmpdir(), "terrarium-operator-none") };
  const main = join(import.meta.dirname, "main.ts");
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { env, encoding: "utf8" });
  return { status, stdout, stderr };
}

describe("npm run operator", () => {
  it("prints its commands with one line each when it is asked for help", () => {
    const { status, stdout, stderr } = operator("--help");
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout.trimEnd().split("\n")).toEqual([
      "Usage: npm run operator -- COMMAND",
      expect.stringMatching(/^ {2}instances \[--json\] +devices/),
      expect.stringMatching(/^ {2}organizations limit NAME COUNT +how many/),
      expect.stringMatching(/^ {2}users add EMAIL .* +a person/),
    ]);
  });

  it("says which command there is not, and those there are", () => {
    const { status, stdout, stderr } = operator("instance", "list");
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^There is no command "instance list"\.\nUsage: /);
    expect(stderr).not.toMatch(/^ +at /m);
  });

  it("says that no server runs", () => {
    const { status, stderr } = operator("instances");
    expect(status).toBe(1);
    expect(stderr).toMatch(/^No running server was found in .*terrarium-operator-none/);
  });
});

describe("readCommand", () => {
  it.each([[["-h"]], [["users", "add", "--help"]]])("reads %j as a wish for help", (args) => {
    expect(readCommand(args)).toBe("help");
  });

  it.each([
    [[], "A command is missing."],
    [["--colour"], "Unknown option '--colour'"],
    [["users"], 'There is no command "users".'],
    [["instances", "all"], "Type it as: instances [--json]"],
    [["organizations", "limit", "Northwind"], "Type it as: organizations limit NAME COUNT"],
    [["organizations", "limit", "North", "Wind", "3"], "Type it as: organizations limit"],
    [["users", "add", "ines@example.com"], "Type it as: users add EMAIL --organization NAME"],
    [["users", "add", "ines@example.com", "x", "--organization", "Northwind"], "Type it as: users add"],
  ])("refuses %j", (args, sentence) => {
    expect(() => readCommand(args)).toThrow(UsageError);
    expect(() => readCommand(args)).toThrow(sentence);
  });

  it.each([
    [["instances", "--json"]],
    [["organizations", "limit", "Northwind", "0"]],
    [["users", "add", "ines@example.com", "--organization", "Northwind", "--manager"]],
  ])("takes %j", (args) => {
    expect(readCommand(args)).toBeTypeOf("function");
  });
});
