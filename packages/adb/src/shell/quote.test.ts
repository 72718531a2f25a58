import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { commandLine, quoteShell } from "./quote.ts";

const hostile = [
  "$(id)",
  "`id`",
  ";reboot",
  "&& reboot",
  "two\nlines",
  "it's",
  "''",
  '"$HOME"',
  "~",
  "A=b",
  "*",
  "\\",
  "-x",
  "",
  " ",
  "\u202eabc",
  "日本",
  "🙂",
  "\x01\x1b[0m",
];

describe("quoteShell", () => {
  it("leaves plain words alone", () =>
    expect(quoteShell("/data/local/tmp/a-b_c.apk")).toBe("/data/local/tmp/a-b_c.apk"));
  it("puts the rest between quotes", () => expect(quoteShell("$(id)")).toBe("'$(id)'"));
  it("ends and begins quotes around a quote", () => expect(quoteShell("it's")).toBe(String.raw`'it'\''s'`));
  it("quotes an empty word", () => expect(quoteShell("")).toBe("''"));
  it("refuses a NUL", () =>
    expect(() => quoteShell("a\0b")).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" })));

  it("says to a real shell what was meant", () => {
    const output = execFileSync("/bin/sh", ["-c", commandLine(["printf", "%s\\0", ...hostile])], { encoding: "utf8" });
    expect(output.split("\0").slice(0, -1)).toEqual(hostile);
  });
});

describe("commandLine", () => {
  it("leaves a string to the shell", () => expect(commandLine("echo $HOME; ls")).toBe("echo $HOME; ls"));
  it("refuses a NUL in a string", () =>
    expect(() => commandLine("ls\0")).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" })));
});
