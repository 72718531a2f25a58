import type { Reporter, TestModule } from "vitest/node";
import { writeFileSync } from "node:fs";

/** Writes the counts of a run to the file named by TEST_COUNTS, from which `dev/test.mjs` prints its last line; names the flaky tests. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const state = test.result().state;
        if (state === "passed" || state === "failed") counts[state]++;
        else counts.skipped++;
        if (test.diagnostic()?.flaky)
          process.stdout.write(`Flaky, passed at the second try: ${module.relativeModuleId} > ${test.fullName}\n`);
      }
      // A file that fails before its first test would not be counted otherwise.
      if (module.state() === "failed" && module.errors().length > 0) counts.failed++;
    }
    if (process.env.TEST_COUNTS) writeFileSync(process.env.TEST_COUNTS, JSON.stringify(counts));
  }
}
