import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, it } from "vitest";
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
    assert.equal(quoteShell("/data/local/tmp/a-b_c.apk"), "/data/local/tmp/a-b_c.apk"));
  it("puts the rest between quotes", () => assert.equal(quoteShell("$(id)"), "'$(id)'"));
  it("ends and begins quotes around a quote", () => assert.equal(quoteShell("it's"), String.raw`'it'\''s'`));
  it("quotes an empty word", () => assert.equal(quoteShell(""), "''"));
  it("refuses a NUL", () => assert.throws(() => quoteShell("a\0b"), { code: "INVALID_ARGUMENT" }));

  it("says to a real shell what was meant", () => {
    const output = execFileSync("/bin/sh", ["-c", commandLine(["printf", "%s\\0", ...hostile])], { encoding: "utf8" });
    assert.deepEqual(output.split("\0").slice(0, -1), hostile);
  });
});

describe("commandLine", () => {
  it("leaves a string to the shell", () => assert.equal(commandLine("echo $HOME; ls"), "echo $HOME; ls"));
  it("refuses a NUL in a string", () => assert.throws(() => commandLine("ls\0"), { code: "INVALID_ARGUMENT" }));
});
