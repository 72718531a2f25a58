import type { Reporter, TestModule } from "vitest/node";
import { writeFileSync } from "node:fs";

/**
 * Writes the counts of a run to the file named by TEST_COUNTS, from which `dev/test.mjs` prints its last line, and names the flaky tests.
 * With TEST_PEERS_APART it names the files with real peers that failed, and leaves them out of the counts.
 */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const total = { passed: 0, failed: errors.length, skipped: 0 };
    const failedFiles: string[] = [];
    for (const module of modules) {
      const counts = countsOf(module);
      if (process.env.TEST_PEERS_APART && counts.failed > 0 && module.project.name === "peer")
        failedFiles.push(module.relativeModuleId);
      else for (const state of ["passed", "failed", "skipped"] as const) total[state] += counts[state];
    }
    if (process.env.TEST_COUNTS) writeFileSync(process.env.TEST_COUNTS, JSON.stringify({ ...total, failedFiles }));
  }
}

function countsOf(module: TestModule) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const test of module.children.allTests()) {
    const state = test.result().state;
    if (state === "passed" || state === "failed") counts[state]++;
    else counts.skipped++;
    if (test.diagnostic()?.flaky)
      process.stdout.write(`Flaky, passed at the second try: ${module.relativeModuleId} > ${test.fullName}\n`);
  }
  // A file that fails before its first test would not be counted otherwise.
  if (module.state() === "failed" && module.errors().length > 0) counts.failed++;
  return counts;
}
