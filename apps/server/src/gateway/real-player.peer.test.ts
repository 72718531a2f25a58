import { systemClock } from "@terrarium/clock";
import pino from "pino";
import { type Browser, chromium, type Page } from "playwright";
import { testDevice, type TestDevice } from "@terrarium/simulator/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { VideoPacket } from "@terrarium/scrcpy";
import { Cleanup } from "../platform/clean-up.ts";
import type { StreamShape } from "./display/display-source.ts";
import { openScrcpy } from "./display/open-scrcpy.ts";
import { RestingSource } from "./display/resting-source.ts";
import { type PlayerPage, startPlayerPage } from "./testing/player-page.ts";
import { DEVICE, startTestViewerServer, type TestViewerServer } from "./testing/test-viewer-server.ts";
import { twoColours } from "./testing/two-colours.ts";
import { createViewerServer } from "./viewer-server.ts";
import { cleanUpWebRtc } from "./viewers/web-rtc-peer.ts";

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
    browser = await openBrowser();
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

/** Its own buttons and forms, and what comes of them, seen over adb with Android's own commands. */
describe("the real web player's widgets on a simulated device", () => {
  const cleanup = new Cleanup();
  let device: TestDevice;
  let page: Page;

  beforeAll(async () => {
    cleanup.add(cleanUpWebRtc);
    device = await testDevice({ clock: systemClock });
    cleanup.add(() => device.stop());
    const { adb } = device;
    const log = pino({ level: "silent" });
    const { signal } = new AbortController();
    const open = (opening: AbortSignal, options?: StreamShape) =>
      openScrcpy(adb, { clock: systemClock, log, signal: opening, options: { ...options, audio: true } });
    const source = new RestingSource(await open(signal), open, systemClock);
    cleanup.add(() => source.close());
    const server = createViewerServer({
      clock: systemClock,
      log,
      authorize: async () => ({ instanceUuid: DEVICE, user: "u1", role: "owner", credential: "c1" }),
      ice: { bindAddress: "127.0.0.1", reach: "loopback" },
    });
    cleanup.add(() => server.stop());
    const served = await startPlayerPage(server);
    cleanup.add(() => served.stop());
    const browser = await openBrowser();
    cleanup.add(() => browser.close());
    page = await browser.newPage({ viewport: { width: 1000, height: 900 } });
    await page.addInitScript(keepPeers);
    await page.goto(served.url);
    // The player is connected before its device is there.
    await page.waitForFunction(
      () => (window as unknown as { peers: RTCPeerConnection[] }).peers[0]?.connectionState === "connected",
    );
    server.addDevice(DEVICE, {
      source,
      shell: (command, options) => adb.shell(command, options),
      openMiniature: (looking) => open(looking),
      openShowcase: (looking) => open(looking),
    });
    // Widgets wake up when the device has said what it has.
    await page.waitForFunction(() => !!document.querySelector(".gm-network-plugin select[name=select-mobile-profile]"));
  });
  afterAll(() => cleanup.run());

  const press = (selector: string) => page.locator(selector).first().dispatchEvent("click");
  /** Types, as its forms check on each key. */
  const type = async (selector: string, text: string) => {
    const field = page.locator(selector).first();
    await field.fill(text.slice(0, -1));
    await field.press("End");
    await field.pressSequentially(text.slice(-1));
  };
  const choose = (selector: string, value: string) =>
    page.locator(selector).first().selectOption(value, { force: true });
  const shell = async (command: string) => (await device.adb.shell(command)).stdout;
  const sends = (event: object) =>
    page.evaluate((sent) => {
      const { player } = window as unknown as { player: { VM_communication: { sendData(event: object): void } } };
      player.VM_communication.sendData(sent);
    }, event);

  it("turns on every widget that has an effect, and no other", async () => {
    const off = await page.evaluate(() =>
      [...document.querySelectorAll(".gm-disabled-widget-icon")].map(({ className }) => className.split(" ")[1]),
    );
    expect(new Set(off)).toEqual(new Set(["gm-camera-button", "gm-fingerprint-button"]));
  });

  it("phone: a message, then a call", async () => {
    await press(".gm-phone-button");
    await type(".gm-phone-number", "+33612345678");
    await type(".gm-phone-message", "it's $(id) é漢🌱!");
    await press(".gm-phone-send");
    await expect
      .poll(() => shell("content query --uri content://sms/inbox --projection address:body"), { timeout: 5_000 })
      .toMatch(/address=\+33612345678, body=it's \$\(id\) é漢🌱!/);
    const before = await page.evaluate(energyHeard);
    await press(".gm-phone-button");
    await press(".gm-phone-call");
    await expect
      .poll(() => shell("dumpsys telephony.registry"), { timeout: 5_000 })
      .toMatch(/mCallState=1\n.*mCallIncomingNumber=\+33612345678/);
    // It rings, in the page.
    await expect.poll(() => page.evaluate(energyHeard), { timeout: 5_000 }).toBeGreaterThan(before + 0.005);
  });

  it("GPS", async () => {
    await press(".gm-gps-button");
    const fields = {
      latitude: "65.96",
      longitude: "-18.53",
      altitude: "15.04",
      accuracy: "7",
      bearing: "90",
      speed: "4.5",
    };
    for (const [field, value] of Object.entries(fields)) await type(`.gm-gps-${field}`, value);
    await press(".gm-gps-submit");
    await expect
      .poll(() => shell("dumpsys location"), { timeout: 5_000 })
      .toMatch(/\[gps 65\.960000,-18\.530000 hAcc=7 et=\S+ alt=15\.04 vel=4\.5 bear=90\]/);
  });

  it("network: kind, bars and switches", async () => {
    await press(".gm-network-button");
    await choose("select[name=select-mobile-profile]", "edge");
    await choose("select[name=select-mobile-signal-strength]", "poor");
    await expect
      .poll(() => shell("getprop gsm.network.type; dumpsys telephony.registry"), { timeout: 5_000 })
      .toMatch(/^EDGE\n[^]*level=1/);
    await page.locator("input[name=wifi-checkbox]").dispatchEvent("click");
    await expect.poll(() => shell("settings get global wifi_on"), { timeout: 5_000 }).toMatch(/^0/);
    // It is locked until the device has answered.
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>("input[name=wifi-checkbox]")?.disabled === false,
    );
    await press(".gm-network-button");
  });

  it("identifiers", async () => {
    await press(".gm-identifiers-button");
    const ids = page.locator(".gm-identifiers-plugin input");
    await vi.waitFor(async () => expect(await ids.last().inputValue()).toMatch(/^35824005\d{7}$/));
    for (const [at, id] of ["0123456789abcdef", "352099001761481"].entries()) {
      await ids.nth(at).fill(id);
      await ids.nth(at).press("End");
    }
    await press(".gm-identifiers-update");
    await expect
      .poll(() => shell("settings get secure android_id; cmd phone get-imei"), { timeout: 5_000 })
      .toMatch(/^0123456789abcdef\nDevice IMEI: 352099001761481\n/);
  });

  it("baseband: operators and SIM", async () => {
    await press(".gm-sim-button");
    await type(".gm-network-network-mmc", "26201");
    await type(".gm-network-network-name", "Tele Kom");
    await type(".gm-network-sim-mmc", "310260");
    await type(".gm-network-sim-name", "T Sim");
    await type(".gm-network-sim-msin", "123456789");
    await type(".gm-network-sim-phone", "555");
    await press(".gm-network-update");
    await expect
      .poll(
        () =>
          shell(
            "getprop gsm.operator.numeric; getprop gsm.operator.alpha; getprop gsm.sim.operator.alpha; content query --uri content://telephony/siminfo",
          ),
        { timeout: 5_000 },
      )
      .toMatch(/^26201\nTele Kom\nT Sim\n.*number=555,.*imsi=310260123456789/);
  });

  it("disk, battery and clipboard", async () => {
    await press(".gm-iothrottling-button");
    await choose(".gm-iothrottling-plugin select", { index: 1 } as never);
    await press(".gm-iothrottling-update");
    await expect
      .poll(() => shell("cat /dev/blkio/blkio.throttle.read_bps_device; logcat -d"), { timeout: 5_000 })
      .toMatch(/^253:5 \d+\n[^]*drop_caches: 3/);
    await sends({ channel: "diskio", messages: ["set readbyterate 0"] });

    await press(".gm-battery-button");
    await page.locator(".gm-charge-input").fill("42");
    await page.locator(".gm-charge-input").dispatchEvent("change");
    await page.locator(".gm-charge-input").dispatchEvent("input");
    await expect.poll(() => shell("dumpsys battery"), { timeout: 5_000 }).toMatch(/level: 42/);

    await press(".gm-clipboard-button");
    await page.locator(".gm-clipboard-input").fill("copied é漢🌱");
    await press(".gm-clipboard-button");
    await vi.waitFor(() => expect(device.device.state.values.clipboard).toBe("copied é漢🌱"));
  });

  it("a controller, a wheel, two fingers and letters of any script", async () => {
    await sends({
      channel: "vinput",
      messages: ["gamepad_plugin 0 Some_Pad 1118 654", "gamepad_press 0 0", "gamepad_axis 0 1 -1"],
    });
    await expect
      .poll(() => shell("dumpsys input"), { timeout: 5_000 })
      .toMatch(/Device 2: Some Pad[^]*vendor=0x045e, product=0x028e[^]*KeyDowns: 1 keys[^]*Y=-1\.00/);
    device.screen.done.length = 0;
    await sends({ type: "KEYBOARD_PRESS", keychar: "漢", keycode: 28450 });
    const video = page.locator("video").first();
    const box = await video.boundingBox();
    if (!box) throw new Error("the player shows no picture");
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y - 100);
    await page.mouse.wheel(0, 240);
    await page.keyboard.down("Control");
    await page.mouse.down();
    await page.mouse.move(x, y - 150);
    await page.mouse.up();
    await page.keyboard.up("Control");
    await vi.waitFor(() => {
      const done = device.screen.done.join("\n");
      expect(done).toMatch(/text 漢/);
      expect(done).toMatch(/scroll \S+ 0,-2/);
      expect(done).toMatch(/touch down 1 /);
      expect(done).toMatch(/touch up 1 /);
    });
  });

  it("the size of its stream, with touches where they are meant", async () => {
    await choose(".gm-streamres-button", "240");
    await page.waitForFunction(() => (document.querySelector("video")?.videoWidth ?? 999) <= 240);
    // The device is told of the controller again.
    await expect.poll(() => shell("dumpsys input"), { timeout: 5_000 }).toMatch(/Some Pad/);
    device.screen.done.length = 0;
    const box = await page.locator("video").first().boundingBox();
    if (!box) throw new Error("the player shows no picture");
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 4);
    await vi.waitFor(() => expect(device.screen.done.at(-1)).toMatch(/^touch up 0 (17|18)\d,1[56]\d$/));
  });

  it("leaves nothing plugged in", async () => {
    await page.goto("about:blank");
    await vi.waitFor(async () => expect((await device.adb.shell("dumpsys input")).stdout).not.toMatch(/Some Pad/), {
      timeout: 10_000,
    });
  });
});

const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium-headless-shell",
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

/** Runs in the page, before the player. */
function keepPeers(): void {
  const { RTCPeerConnection: Real } = window;
  const peers: RTCPeerConnection[] = [];
  class Kept extends Real {
    constructor(configuration?: RTCConfiguration) {
      super(configuration);
      peers.push(this);
    }
  }
  Object.assign(window, { RTCPeerConnection: Kept, peers });
}

/** Runs in the page: the energy of all that it has heard. */
async function energyHeard(): Promise<number> {
  const [peer] = (window as unknown as { peers: RTCPeerConnection[] }).peers.slice(-1);
  const report = await peer?.getStats();
  const sounds = [...(report?.values() ?? [])] as { type: string; kind?: string; totalAudioEnergy?: number }[];
  return sounds.find(({ type, kind }) => type === "inbound-rtp" && kind === "audio")?.totalAudioEnergy ?? 0;
}
