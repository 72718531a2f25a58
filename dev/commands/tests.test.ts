import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runTests } from "./tests.mjs";

describe("runTests", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "terrarium-run-tests-"));
    vi.spyOn(console, "log").mockReturnValue(undefined);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });

  /** Runs them with a program that takes the place of Node: it notes what it is asked, and answers with counts, first of all run, then of those run again. */
  async function runWith({ ci, first, again = first }: { ci: boolean; first: object; again?: object }) {
    vi.stubEnv("CI", ci ? "true" : undefined);
    const asked = join(folder, "asked");
    const node = join(folder, "node");
    writeFileSync(
      node,
      `#!/bin/sh
echo "$* apart=$TEST_PEERS_APART" >> ${asked}
case "$*" in *story*) echo '${JSON.stringify(again)}';; *) echo '${JSON.stringify(first)}';; esac > "$TEST_COUNTS"
`,
    );
    chmodSync(node, 0o755);
    const counts = await runTests(node);
    return { counts, asked: readFileSync(asked, "utf8").trim().split("\n") };
  }
  const passed = { passed: 5, failed: 0, skipped: 1, failedFiles: [] };

  it("runs all once", async () => {
    const { counts, asked } = await runWith({ ci: true, first: passed });
    expect(counts).toEqual({ passed: 5, failed: 0, skipped: 1 });
    expect(asked).toEqual(["node_modules/vitest/vitest.mjs run apart=yes"]);
  });

  it("runs a file with peers that failed once more in CI, and counts that run", async () => {
    const first = { ...passed, failedFiles: ["e2e/story.peer.test.ts"] };
    const again = { passed: 7, failed: 2, skipped: 0, failedFiles: [] };
    const { counts, asked } = await runWith({ ci: true, first, again });
    expect(counts).toEqual({ passed: 12, failed: 2, skipped: 1 });
    expect(asked).toEqual([
      "node_modules/vitest/vitest.mjs run apart=yes",
      "node_modules/vitest/vitest.mjs run e2e/story.peer.test.ts apart=",
    ]);
  });

  it("shows a developer what fails at the first try", async () => {
    const { asked } = await runWith({ ci: false, first: passed });
    expect(asked).toEqual(["node_modules/vitest/vitest.mjs run apart="]);
  });

  it("counts a run that ends before it could count as a failure", async () => {
    expect(await runTests("/bin/false")).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});
