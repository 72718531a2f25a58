import { stockAdb } from "@terrarium/e2e/support/adb.ts";
import { chromiumOptions } from "@terrarium/e2e/support/chromium.ts";
import { eventually, startDevice, untilState } from "@terrarium/e2e/support/instances.ts";
import { demo, TestServer } from "@terrarium/e2e/support/server.ts";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { loadavg } from "node:os";
import { setTimeout } from "node:timers/promises";
import { chromium } from "playwright";
import { badLine } from "./support/bad-line.ts";
import { percentile, print, spread } from "./support/figures.ts";
import { startPlayerPage } from "./support/player-page.ts";

/**
 * The real player over a line of 80 ms each way that loses 2 % of the packets, beside the same player over loopback, in the same run. The line
 * is a relay of ours (support/bad-line.ts), so that it needs neither root nor a kernel with netem; it carries the video and the input, and
 * the signalling socket goes around it.
 */

const LINE = { delayMs: 80, loss: 0.02 };
const CLICKS = 100;
const PAUSE_MS = { least: 200, random: 67 };
const LOST_MS = 5_000;
const MOVE_MS = 10_000;

/** A port that is free now. */
async function freePort(): Promise<number> {
  const socket = createSocket("udp4").bind(0, "127.0.0.1");
  await once(socket, "listening");
  const { port } = socket.address();
  socket.close();
  return port;
}

const mediaPort = await freePort();
const server = await TestServer.start({ TERRARIUM_MEDIA_PORT: String(mediaPort) });
const adb = await stockAdb();
const served = await startPlayerPage();
const line = await badLine(mediaPort, LINE);
const browser = await chromium.launch({
  ...chromiumOptions,
  args: [...chromiumOptions.args, "--allow-loopback-in-peer-connection", "--autoplay-policy=no-user-gesture-required"],
});

try {
  const { client } = await server.signIn(demo.manager);
  const { uuid, webrtc_url } = await startDevice(client);
  await untilState(client, uuid, "ONLINE");
  const address = (await server.instances()).find((one) => one.uuid === uuid)?.adb ?? "";
  const device = await adb.connect(address);
  const open = (app: string) => device("shell", "monkey", "-p", `com.terrarium.${app}`, "1");
  const found: Record<string, { click: number; fps: number }> = {};
  console.log(`Load average before: ${loadavg()[0]?.toFixed(1)}`);

  for (const way of ["loopback", "line"]) {
    const page = await browser.newPage({ viewport: { width: 800, height: 900 } });
    if (way === "line")
      await page.routeWebSocket(/\/player$/, (socket) => {
        const service = socket.connectToServer();
        // The service hears of no other way to the browser.
        socket.onMessage((text) => void (!String(text).includes('"candidate"') && service.send(text)));
        service.onMessage((text) => socket.send(line.through(String(text))));
      });
    await page.goto(served.url);
    const { access_token } = await client.instances.accessToken({ body: { instance_uuid: uuid } });
    const began = performance.now();
    await page.evaluate(([url, text]) => window.measure.show(url, text), [webrtc_url, access_token] as const);
    console.log(way === "line" ? `${LINE.delayMs} ms each way, ${LINE.loss * 100} % lost` : "Loopback");
    print("until the first picture, ms", (performance.now() - began).toFixed(0));
    await open("latency");
    await eventually("the mark is there", async () => (await page.evaluate(() => window.measure.mark())) !== undefined);
    const box = (await page.locator("video").first().boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    const frames: number[] = [];
    for (let click = 0; click < CLICKS; click++) {
      const clicked = page.evaluate((ms) => window.measure.nextClick(ms), LOST_MS);
      await setTimeout(PAUSE_MS.least + Math.random() * PAUSE_MS.random);
      await page.mouse.down();
      await page.mouse.up();
      const { toFrameMs } = await clicked;
      if (toFrameMs !== undefined) frames.push(toFrameMs);
    }
    print("click to frame, ms", spread(frames, 1));
    print("lost clicks", String(CLICKS - frames.length));
    const { pictures, longestMs } = await page.evaluate((ms) => window.measure.draw(ms), MOVE_MS);
    const fps = pictures / (MOVE_MS / 1000);
    print("while a finger moves", `${fps.toFixed(1)} fps, longest gap ${longestMs.toFixed(0)} ms`);
    found[way] = { click: percentile(frames, 0.5), fps };
    await page.close();
  }
  const { carried, lost } = line.counted;
  print("packets that the line has carried, and lost", `${carried}, ${lost}`);
  const [near, far] = [found["loopback"]!, found["line"]!];
  print(
    "click to frame, beyond loopback and the line's way there and back",
    `${(far.click - near.click - 2 * LINE.delayMs).toFixed(1)} ms`,
  );
  print("frames per second, line by loopback", (far.fps / near.fps).toFixed(2));
  console.log(`Load average after: ${loadavg()[0]?.toFixed(1)}`);
} finally {
  await browser.close();
  served.stop();
  line.stop();
  await adb.stop();
  await server.stop();
}
