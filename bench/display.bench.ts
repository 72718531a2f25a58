import { stockAdb } from "@terrarium/e2e/support/adb.ts";
import { livePicture, signIn } from "@terrarium/e2e/support/browser.ts";
import { chromiumOptions } from "@terrarium/e2e/support/chromium.ts";
import { eventually, startDevice, untilState } from "@terrarium/e2e/support/instances.ts";
import { demo, TestServer } from "@terrarium/e2e/support/server.ts";
import { type Usage, usageOfRoles } from "@terrarium/e2e/support/processes.ts";
import { Viewer } from "@terrarium/e2e/support/viewer.ts";
import { cleanup } from "node-datachannel";
import { loadavg } from "node:os";
import { setTimeout } from "node:timers/promises";
import { chromium, type Page } from "playwright";
import { megabytes, print, spread } from "./support/figures.ts";
import { pageFile, startPlayerPage } from "./support/player-page.ts";

/**
 * How a device feels to its user: the latency from a click to its frame in the real player, and the frame rate while something moves;
 * and what a watched device costs. The browser decodes in software, on the same machine.
 */

const CLICKS = 200;
const ROUNDS = 2;
/** A click without a visible effect after this time counts as lost. */
const LOST_MS = 2_000;
/** More than two frames, and random, so that clicks are not in step with the device's frames. */
const PAUSE_MS = { least: 120, random: 67 };
const MOVE_MS = 10_000;
/** A gateway runs for weeks: until the code that a picture and a position take is compiled, they cost it up to twice as much. */
const WARM_MS = 100_000;
/** Of ten seconds each, one differs from the next by a fifth. */
const COST_MS = 30_000;
const STILL_MS = 5_000;

const server = await TestServer.start();
const adb = await stockAdb();
const served = await startPlayerPage();
const browser = await chromium.launch({
  ...chromiumOptions,
  args: [...chromiumOptions.args, "--allow-loopback-in-peer-connection", "--autoplay-policy=no-user-gesture-required"],
});

/** Clicks, prints how long each took to show, and returns the median of it. */
async function measureClicks(page: Page): Promise<number> {
  const box = await page.locator("video").first().boundingBox();
  if (!box) throw new Error("the player shows no video");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const frames: number[] = [];
  const canvases: number[] = [];
  for (let click = 0; click < CLICKS; click++) {
    const clicked = page.evaluate((ms) => window.measure.nextClick(ms), LOST_MS);
    await setTimeout(PAUSE_MS.least + Math.random() * PAUSE_MS.random);
    await page.mouse.down();
    await page.mouse.up();
    const { toFrameMs, toCanvasMs } = await clicked;
    if (toFrameMs !== undefined) frames.push(toFrameMs);
    canvases.push(toCanvasMs);
  }
  console.log(`${CLICKS} clicks at random times, ms since the timestamp of pointerdown`);
  print("to the callback of the frame with its mark", `${spread(frames, 1)}; aim: p50 25, p95 45`);
  print("baseline: to the next frame of a local canvas", spread(canvases, 1));
  print("lost clicks", `${CLICKS - frames.length}`);
  return frames.toSorted((one, other) => one - other)[Math.floor(frames.length / 2)] ?? Number.NaN;
}

/** The two ways of the picture to our own page, by turns, since a machine is not as busy all the time. */
async function comparePaths(uuid: string, open: (app: string) => Promise<unknown>): Promise<void> {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1440, height: 900 } });
  await context.route(/\/(measure|latency-mark)\.js$/, (route) => {
    const file = pageFile(new URL(route.request().url()).pathname);
    return file ? route.fulfill({ contentType: file.type, body: file.body }) : route.abort();
  });
  const page = await context.newPage();
  await signIn(page, demo.manager);
  const measured = { "": { clickMs: 0, fps: 0 }, "?path=websocket": { clickMs: 0, fps: 0 } };
  for (let round = 0; round < ROUNDS; round++)
    for (const [query, sum] of Object.entries(measured)) {
      await page.goto(`/instance/${uuid}${query}`);
      await livePicture(page);
      await page.addScriptTag({ type: "module", url: "/measure.js" });
      await eventually("the measure is there", () => page.evaluate(() => "measure" in window));
      const { width, height } = await page.evaluate(() => window.measure.watch());
      console.log(`Our page ${query ? "over the WebSocket" : "over WebRTC"}, at ${width}x${height}`);
      await open("latency");
      await eventually(
        "the mark is visible",
        async () => (await page.evaluate(() => window.measure.mark())) !== undefined,
      );
      sum.clickMs += (await measureClicks(page)) / ROUNDS;
      let pictures = 0;
      const cost = await costOf(async () => {
        ({ pictures } = await page.evaluate((ms) => window.measure.draw(ms), MOVE_MS));
      });
      sum.fps += pictures / (MOVE_MS / 1000) / ROUNDS;
      print("while a finger moves", `${(pictures / (MOVE_MS / 1000)).toFixed(1)} fps; ${cost.text}`);
    }
  const [direct, socket] = [measured[""], measured["?path=websocket"]];
  print("WebSocket by WebRTC, click to frame (median)", (socket.clickMs / direct.clickMs).toFixed(2));
  print("WebSocket by WebRTC, frames per second", (socket.fps / direct.fps).toFixed(2));
  await context.close();
}

/** The CPU usage of each part during `work`, in percent of a core, and its memory at the end; and that of the gateway alone. */
async function costOf(work: () => Promise<unknown>): Promise<{ text: string; gateway: number }> {
  const usages = async (): Promise<[string, Usage][]> => [
    ["gateway", await usageOfRoles(server.dataDir, "gateway")],
    ["simulator", await usageOfRoles(server.dataDir, "host")],
  ];
  const before = new Map(await usages());
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1000;
  const spent = (await usages()).map(([name, { cpuSeconds, bytes }]) => ({
    core: ((cpuSeconds - (before.get(name)?.cpuSeconds ?? 0)) / seconds) * 100,
    name,
    bytes,
  }));
  const text = spent
    .map(({ name, core, bytes }) => `${name} ${core.toFixed(1)} % of a core, ${megabytes(bytes)}`)
    .join("; ");
  return { text, gateway: spent[0]?.core ?? Number.NaN };
}

try {
  const { client } = await server.signIn(demo.manager);
  const { uuid, webrtc_url } = await startDevice(client);
  await untilState(client, uuid, "ONLINE");
  const token = async () => (await client.instances.accessToken({ body: { instance_uuid: uuid } })).access_token;
  const address = (await server.instances()).find((one) => one.uuid === uuid)?.adb;
  if (!address) throw new Error("the device has no adb address");
  const device = await adb.connect(address);
  const open = (app: string) => device("shell", "monkey", "-p", `com.terrarium.${app}`, "1");
  console.log(`Load average before: ${loadavg()[0]?.toFixed(1)}`);
  print("no viewers", (await costOf(() => setTimeout(STILL_MS))).text);

  const page = await browser.newPage({ viewport: { width: 800, height: 900 } });
  await page.goto(served.url);
  const size = await page.evaluate(([url, text]) => window.measure.show(url, text), [
    webrtc_url,
    await token(),
  ] as const);
  console.log(`The real player in Chromium at ${size.width}x${size.height}`);
  await open("latency");
  await eventually("the mark is visible", async () => (await page.evaluate(() => window.measure.mark())) !== undefined);
  await measureClicks(page);

  const cold = await costOf(() => page.evaluate((ms) => window.measure.draw(ms, 60), MOVE_MS));
  print("while a finger moves at 60 Hz for the first time", cold.text);
  await page.evaluate((ms) => window.measure.draw(ms, 60), WARM_MS);

  const others: Viewer[] = [];
  const gateway: number[] = [];
  for (const viewers of [1, 4]) {
    while (others.length < viewers - 1) {
      const viewer = new Viewer(webrtc_url, token());
      others.push(viewer);
      await viewer.until("a frame", LOST_MS, () => viewer.pictures[0]);
    }
    console.log(`${viewers} viewer${viewers === 1 ? "" : "s"}, including the browser`);
    print("while nothing moves", (await costOf(() => setTimeout(STILL_MS))).text);
    const fast = await costOf(() => page.evaluate((ms) => window.measure.draw(ms), MOVE_MS));
    print("while a finger moves on a screen of 120 Hz", fast.text);
    for (const other of others) other.pictures.length = 0;
    let moved = { pictures: 0, longestMs: 0 };
    const cost = await costOf(async () => {
      moved = await page.evaluate((ms) => window.measure.draw(ms, 60), COST_MS);
    });
    print("while a finger moves on a screen of 60 Hz", cost.text);
    gateway.push(cost.gateway);
    const fps = (pictures: number) => (pictures / (COST_MS / 1000)).toFixed(1);
    print(
      "frames per second in the browser",
      `${fps(moved.pictures)} over ${COST_MS / 1000} s, longest gap ${moved.longestMs.toFixed(0)} ms`,
    );
    if (others.length > 0)
      print("  to each other viewer", others.map(({ pictures }) => fps(pictures.length)).join(", "));
  }
  const [one = Number.NaN, four = Number.NaN] = gateway;
  print(
    "gateway at 60 Hz, watched device and each further viewer",
    `${one.toFixed(1)} % ${((four - one) / 3).toFixed(2)} %; aim: 4 %, 5 % with four`,
  );
  for (const other of others) other.close();
  await page.close();
  await comparePaths(uuid, open);
  console.log(`Load average after: ${loadavg()[0]?.toFixed(1)}`);
} finally {
  await browser.close();
  served.stop();
  await adb.stop();
  await server.stop();
  cleanup();
}
