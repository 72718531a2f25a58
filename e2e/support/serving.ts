import type { Browser } from "playwright";
import { afterAll, beforeAll } from "vitest";
import { launchBrowser } from "./browser.ts";
import { preparedServer } from "./prepared-server.ts";
import type { TestServer } from "./server.ts";

/** A server and a browser, started before the first test of a file or a `describe` and stopped after its last. */
export function serverAndBrowser() {
  const started = {} as { server: TestServer; browser: Browser };
  beforeAll(async () => {
    [started.server, started.browser] = await Promise.all([preparedServer(), launchBrowser()]);
  });
  afterAll(async () => {
    await started.browser?.close();
    await started.server?.stop();
  });
  return started;
}
