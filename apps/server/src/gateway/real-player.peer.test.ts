import { type Browser, chromium, type Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { VideoPacket } from "@terrarium/scrcpy";
import { type PlayerPage, startPlayerPage } from "./testing/player-page.ts";
import { DEVICE, startTestViewerServer, type TestViewerServer } from "./testing/test-viewer-server.ts";
import { twoColours } from "./testing/two-colours.ts";

/** Colours pass through YUV and back. */
const TOLERANCE = 24;

describe("the real web player in Chromium", () => {
  let test: TestViewerServer;
  let served: PlayerPage;
  let browser: Browser;
  let page: Page;
  let colour: "red" | "blue" = "red";
  let ptsUs = 0n;

  const show = () => {
    ptsUs += 33_333n;
    test.display.show({ type: "frame", keyFrame: true, ptsUs, data: twoColours[colour] } satisfies VideoPacket);
  };

  beforeAll(async () => {
    test = await startTestViewerServer();
    test.display.size = { width: twoColours.width, height: twoColours.height };
    test.display.config = twoColours.config;
    test.display.onControl((message) => {
      if (message.type === "resetVideo") show();
    });
    served = await startPlayerPage(test.server);
    browser = await chromium.launch({
      executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
      // The sandbox needs user namespaces; the rest keeps the browser off the network and lets it use loopback.
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--no-first-run",
        "--allow-loopback-in-peer-connection",
        "--autoplay-policy=no-user-gesture-required",
      ],
    });
    page = await browser.newPage({ viewport: { width: 800, height: 800 } });
    await page.goto(served.url);
  });
  afterAll(async () => {
    await browser?.close();
    await served?.stop();
    await test?.stop();
  });

  it("shows the picture, and the next one", async () => {
    await untilColour(page, [208, 32, 32]);
    colour = "blue";
    show();
    await untilColour(page, [32, 64, 208]);
    expect(await page.evaluate(videoSize)).toEqual({ width: twoColours.width, height: twoColours.height });
  });

  it("turns a click into a touch at the place that was clicked", async () => {
    const touched = new Promise<void>((resolve) =>
      test.display.onControl((message) => {
        if (message.type === "resetVideo") show();
        if (message.type === "touch" && message.action === "up") resolve();
      }),
    );
    const box = await page.locator("video").first().boundingBox();
    if (!box) throw new Error("the player shows no picture");
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 4);
    await touched;
    const [down, up] = test.display.sent("touch");
    expect(down?.action).toBe("down");
    expect(up?.action).toBe("up");
    expect(Math.abs((down?.position.x ?? 0) - 180), `x ${down?.position.x}`).toBeLessThanOrEqual(2);
    expect(Math.abs((down?.position.y ?? 0) - 160), `y ${down?.position.y}`).toBeLessThanOrEqual(2);
    expect([down?.position.width, down?.position.height]).toEqual([360, 640]);
  });

  it("types text", async () => {
    const typed = new Promise<void>((resolve) =>
      test.display.onControl((message) => {
        if (message.type === "key" && message.action === "up") resolve();
      }),
    );
    await page.keyboard.type("hI");
    await page.keyboard.press("Backspace");
    await typed;
    expect(test.display.sent("text").map(({ text }) => text)).toEqual(["h", "I"]);
    expect(test.display.sent("key").map(({ action, keyCode }) => [action, keyCode])).toEqual([
      ["down", 67],
      ["up", 67],
    ]);
  });

  it("has buttons that work: home, back, rotate", async () => {
    test.display.controls.length = 0;
    const rotated = new Promise<void>((resolve) =>
      test.display.onControl((message) => {
        if (message.type === "rotate") resolve();
      }),
    );
    for (const button of ["gm-home", "gm-back", "gm-rotate"])
      await page.locator(`[class*="${button}"]`).first().click();
    await rotated;
    expect(test.display.sent("key").map(({ action, keyCode }) => [action, keyCode])).toEqual([
      ["down", 3],
      ["up", 3],
      ["down", 4],
      ["up", 4],
    ]);
  });

  it("disables what the device cannot do and leaves what it can", async () => {
    const disabled = (name: string) => page.locator(`[class*="${name}"]`).first().getAttribute("class");
    expect((await disabled("gm-phone-button")) ?? "").toMatch(/disabled/);
    expect((await disabled("gm-battery-button")) ?? "disabled").not.toMatch(/disabled/);
  });

  it("brings a file of several messages, and an app", async () => {
    const bring = async (name: string, buffer: Buffer) => {
      await page.locator(".gm-uploader-button").first().click();
      await page.locator(".gm-uploader-file").setInputFiles({ name, mimeType: "application/octet-stream", buffer });
    };
    // Above the player's 5 MB, so that it is asked for the rest.
    await bring("notes.txt", Buffer.alloc(6_000_000, "x"));
    await expect.poll(() => test.files.files.get("/sdcard/Download/notes.txt")?.length).toBe(6_000_000);
    // It hides when it was told.
    await page.locator(".gm-uploader-plugin.gm-hidden").waitFor({ state: "attached" });
    const apk = "PK\u0003\u0004 and the rest";
    await bring("a.apk", Buffer.from(apk));
    await expect.poll(() => test.files.files.get("apk")).toBe(apk);
  });

  it("hears that the device ended", async () => {
    test.server.removeDevice(DEVICE, "ended");
    await page.waitForFunction("window.closes.length > 0");
    expect(JSON.stringify(await page.evaluate("window.closes"))).toMatch(/closeServerShutdown/);
  });
});

/** Waits until the picture's centre has this colour. */
async function untilColour(page: Page, expected: [number, number, number]): Promise<void> {
  await page.waitForFunction(
    ({ expected, tolerance }) => {
      const video = document.querySelector("video");
      if (!video || video.videoWidth === 0) return false;
      const canvas = document.createElement("canvas");
      canvas.width = canvas.height = 1;
      const context = canvas.getContext("2d");
      context?.drawImage(video, video.videoWidth / 2, video.videoHeight / 2, 1, 1, 0, 0, 1, 1);
      const pixel = context?.getImageData(0, 0, 1, 1).data ?? [];
      return expected.every((value, index) => Math.abs(value - (pixel[index] ?? -999)) <= tolerance);
    },
    { expected, tolerance: TOLERANCE },
  );
}

function videoSize(): { width: number; height: number } {
  const video = document.querySelector("video");
  return { width: video?.videoWidth ?? 0, height: video?.videoHeight ?? 0 };
}
