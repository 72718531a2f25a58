import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "./child.mjs";
import { say } from "./say.mjs";

/**
 * Runs the tests of every project, or those whose path has a word.
 * @param {string} node24 the path of the program
 * @param {string} [word]
 * @returns {Promise<{ passed: number, failed: number, skipped: number }>} `dev/count-reporter.ts` counts; a run that ends badly
 * without a failed test, or before it counted, is one failure
 */
export async function runTests(node24, word) {
  say("tests", word ? `those whose path has "${word}"` : "all of them");
  const folder = mkdtempSync(join(tmpdir(), "terrarium-tests-"));
  const file = join(folder, "counts.json");
  try {
    const args = ["node_modules/vitest/vitest.mjs", "run", ...(word ? [word] : [])];
    const code = await run(node24, args, { TEST_COUNTS: file });
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
