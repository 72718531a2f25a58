import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

it("says in a fresh clone that nothing is installed, in a sentence", () => {
  const clone = mkdtempSync(join(tmpdir(), "clone-"));
  onTestFinished(() => rmSync(clone, { recursive: true }));
  cpSync(import.meta.dirname, join(clone, "dev"), { recursive: true });
  const { status, stderr } = spawnSync(process.execPath, ["dev/operator.mjs", "--help"], {
    cwd: clone,
    encoding: "utf8",
  });
  expect([status, stderr.trim()]).toEqual([1, "Nothing is installed yet: npm start does that."]);
});
