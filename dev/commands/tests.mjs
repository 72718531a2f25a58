import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "./child.mjs";
import { compileCache } from "./compile-cache.mjs";
import { say } from "./say.mjs";

/**
 * Runs all tests, or those with a word in their path. In CI a file with real peers that fails is run once more as a whole, as the tests of
 * a story follow from each other and one of them alone cannot pass at its second try: each is named, and is a fault to be mended.
 * @param {string} node24 the path of the program
 * @param {string} [word]
 * @returns {Promise<Counts>} from `dev/count-reporter.ts`; a run that fails without a failed test, or before it could count, is one
 * failure
 */
export async function runTests(node24, word) {
  say("tests", word ? `those with "${word}" in their path` : "all");
  const { failedFiles, ...counts } = await runOnce(node24, word ? [word] : [], process.env.CI !== undefined);
  if (failedFiles.length === 0) return counts;
  for (const file of failedFiles) say("tests", `FAILED with its peers, once more: ${file}`);
  const again = await runOnce(node24, failedFiles, false);
  return {
    passed: counts.passed + again.passed,
    failed: counts.failed + again.failed,
    skipped: counts.skipped + again.skipped,
  };
}

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @param {string} node24
 * @param {string[]} files parts of their paths; all if there is none
 * @param {boolean} withPeersApart whether files with real peers that fail are named instead of counted
 * @returns {Promise<Counts & { failedFiles: string[] }>}
 */
async function runOnce(node24, files, withPeersApart) {
  const folder = mkdtempSync(join(tmpdir(), "terrarium-tests-"));
  const file = join(folder, "counts.json");
  try {
    const args = ["node_modules/vitest/vitest.mjs", "run", ...files];
    const code = await run(node24, args, {
      ...compileCache,
      TEST_COUNTS: file,
      TEST_PEERS_APART: withPeersApart ? "yes" : "",
    });
    const counts = countsIn(file);
    const hasNone = counts.failed === 0 && counts.failedFiles.length === 0;
    return code !== 0 && hasNone ? { ...counts, failed: 1 } : counts;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {string} file */
function countsIn(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return { passed: 0, failed: 1, skipped: 0, failedFiles: [] };
  }
}
