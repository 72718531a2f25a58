import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "./child.mjs";
import { compileCache } from "./compile-cache.mjs";
import { say } from "./say.mjs";

/**
 * Runs all tests, or those with a word in their path.
 * @param {string} node24 the path of the program
 * @param {string} [word]
 * @returns {Promise<{ passed: number, failed: number, skipped: number }>} counts from `dev/count-reporter.ts`; a run that fails
 * without a failed test, or before it could count, is one failure
 */
export async function runTests(node24, word) {
  say("tests", word ? `those with "${word}" in their path` : "all");
  const folder = mkdtempSync(join(tmpdir(), "terrarium-tests-"));
  const file = join(folder, "counts.json");
  try {
    const args = ["node_modules/vitest/vitest.mjs", "run", ...(word ? [word] : [])];
    const code = await run(node24, args, { ...compileCache, TEST_COUNTS: file });
    const counts = countsIn(file);
    return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {string} file */
function countsIn(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}
