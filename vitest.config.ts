import { playwright } from "@vitest/browser-playwright";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { docs } from "./apps/web/docs-plugin.ts";
import { patience } from "./dev/patience.ts";
import SlowestFirst from "./dev/slowest-first.ts";
import { chromiumOptions } from "./e2e/support/chromium.ts";

/**
 * In CI a test with real peers, and thus real time, may fail once, and a whole file of them (`dev/commands/tests.mjs`):
 * `dev/count-reporter.ts` names each that did, and each is a fault to be mended, of the test or of the product. A developer sees it at the
 * first try.
 */
const retry = process.env.CI === undefined ? 0 : 1;

/**
 * The kinds of test are told apart by their file names:
 * `*.test.ts` needs nothing, `*.db.test.ts` PostgreSQL, `*.test.tsx` a browser, `*.peer.test.ts` a real peer over loopback.
 */
export default defineConfig({
  test: {
    reporters: ["default", "./dev/count-reporter.ts"],
    // One more than CI has processors: each waits for its database, its browser or its peers now and then.
    maxWorkers: 3,
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        test: {
          name: "unit",
          isolate: false,
          include: ["{apps,packages,dev,e2e}/**/*.test.ts"],
          exclude: ["**/node_modules/**", "**/*.{db,peer,device}.test.ts"],
          sequence: { groupOrder: 0 },
          // Only a test that hangs takes so long, also on a machine that is busy.
          testTimeout: 30_000,
          setupFiles: ["dev/patience.setup.ts"],
          expect: { poll: patience },
        },
      },
      {
        test: {
          name: "db",
          isolate: false,
          include: ["{apps,packages}/**/*.db.test.ts"],
          globalSetup: ["apps/server/src/testing/database.setup.ts"],
          sequence: { groupOrder: 1 },
          // As above.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          retry,
          setupFiles: ["dev/patience.setup.ts", "apps/server/src/testing/databases-of-file.setup.ts"],
          expect: { poll: patience },
        },
      },
      {
        plugins: [react(), docs()],
        // Found before the first test: a library that is met later would reload the page under a running one.
        // Found anew for each run: what an earlier run kept does not know the libraries used since.
        optimizeDeps: {
          entries: ["{apps/web,packages/sdk}/src/**/*.tsx", "apps/web/src/**/*-worker.ts"],
          force: true,
          rolldownOptions: { transform: { define: { "process.env.NODE_ENV": '"production"' } } },
        },
        // React and its libraries as they are shipped, which are faster than those that help a developer.
        oxc: { jsx: { development: false, refresh: false } },
        resolve: { conditions: ["module", "browser", "production"] },
        test: {
          name: "browser",
          include: ["{apps/web,packages/sdk}/**/*.test.tsx"],
          sequence: { groupOrder: 2 },
          testTimeout: 60_000,
          setupFiles: [
            "apps/web/src/testing/act.setup.ts",
            "apps/web/src/testing/browser.setup.ts",
            "dev/patience.setup.ts",
          ],
          expect: { poll: patience },
          // The dev server may still meet a library it did not foresee and reload the page under a test, once.
          retry: 1,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: chromiumOptions }),
            instances: [{ browser: "chromium" }],
          },
        },
      },
      {
        test: {
          name: "peer",
          include: ["{apps,packages,e2e}/**/*.peer.test.ts"],
          globalSetup: ["e2e/support/prepared-data.setup.ts"],
          sequence: { groupOrder: 3 },
          // One more than the others: these wait for their peers half of the time.
          maxWorkers: 4,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          retry,
          setupFiles: ["dev/patience.setup.ts"],
          expect: { poll: patience },
        },
      },
    ],
  },
});
