import { chromiumOptions } from "@terrarium/e2e/support/chromium.ts";
import { eventually } from "@terrarium/e2e/support/instances.ts";
import { TestServer } from "@terrarium/e2e/support/server.ts";
import { loadavg } from "node:os";
import { type Browser, chromium } from "playwright";
import { print, spread } from "./support/figures.ts";

/**
 * How soon a first visitor sees a page on a phone: the first and the largest paint, with nothing cached, a line of 1.6 Mbit/s with a
 * round trip of 150 ms, and a processor that is four times slower. The baseline is the home page without its content: index.html, which scripts alone fill.
 */

const RUNS = 9;
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 };
const SLOWER = 4;
const phone = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };
/** It is served as it was built. */
const BASELINE = "/index.html";
const PAGES = [
  "/",
  "/signin",
  "/signup-confirm",
  "/password-reset",
  "/legal/terms-and-conditions",
  "/update/25-07_1",
  "/docs",
  "/status",
];

interface Paints {
  first: number;
  largest: number;
}

async function paintsOf(browser: Browser, url: string): Promise<Paints> {
  const context = await browser.newContext(phone);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", LINE);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  await page.goto(url, { waitUntil: "networkidle" });
  const paints = await page.evaluate(async () => {
    const first = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0;
    const { promise, resolve } = Promise.withResolvers<number>();
    const observer = new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? first));
    observer.observe({ type: "largest-contentful-paint", buffered: true });
    return { first, largest: await promise };
  });
  await context.close();
  return paints;
}

const server = await TestServer.start();
const browser = await chromium.launch(chromiumOptions);
try {
  await eventually("the last page is made", async () =>
    (await (await fetch(`${server.url}/update/24-05_1`)).text()).includes("<h1"),
  );
  console.log(`paints on a phone, ms, ${RUNS} first visits each; load ${loadavg()[0]?.toFixed(1)}`);
  for (const path of [BASELINE, ...PAGES]) {
    const paints: Paints[] = [];
    for (let run = 0; run < RUNS; run++) paints.push(await paintsOf(browser, server.url + path));
    const name = path === BASELINE ? "baseline: / by scripts alone" : path;
    print(`${name}, first paint`, spread(paints.map(({ first }) => first)));
    print(`${name}, largest paint`, spread(paints.map(({ largest }) => largest)));
  }
} finally {
  await browser.close();
  await server.stop();
}
