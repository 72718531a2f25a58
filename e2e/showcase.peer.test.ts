import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser, openPage } from "./support/browser.ts";
import { eventually } from "./support/instances.ts";
import { preparedServer } from "./support/prepared-server.ts";
import type { TestServer } from "./support/server.ts";

let server: TestServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([preparedServer({ TERRARIUM_SHOWCASE: "on" }), launchBrowser()]);
  await eventually("the showcase is online", async () => (await shown())?.state === "ONLINE");
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const shown = async () => (await server.instances()).find(({ state }) => state !== "STOPPING");

/** A visitor who has not signed in, and sees the device live. */
async function visit() {
  // Who wants little motion sees a picture.
  const { page, errors, close } = await openPage(browser, server.url, { reducedMotion: "no-preference" });
  await page.goto("/");
  const screen = page.locator("canvas[data-live]");
  await screen.waitFor();
  return { page, errors, close, screen };
}

/** What the device shows to this visitor, in a few numbers. */
const look = (page: Page): Promise<string> =>
  page.locator("canvas[data-live]").evaluate((canvas: HTMLCanvasElement) => {
    const small = new OffscreenCanvas(9, 20);
    const context = small.getContext("2d");
    context?.drawImage(canvas, 0, 0, 9, 20);
    return String(context?.getImageData(0, 0, 9, 20).data.map((value) => value >> 4));
  });

it("plays by itself for whoever looks", async () => {
  const { page, errors, close } = await visit();
  const seen = new Set<string>();
  await eventually("it shows something else, twice", async () => seen.add(await look(page)).size > 2);
  expect(errors).toEqual([]);
  await close();
});

it("is the first toucher's alone, and fresh for the next visitor", async () => {
  const before = await shown();
  const [one, other] = [await visit(), await visit()];
  const box = await one.screen.boundingBox();
  if (!box) throw new Error("the device is out of sight");
  const tap = (x: number, y: number) => one.page.mouse.click(box.x + box.width * x, box.y + box.height * y);
  const changes = async (what: string, act: () => Promise<void>) => {
    const then = await look(one.page);
    await act();
    await eventually(what, async () => (await look(one.page)) !== then);
  };
  // It may be playing at the calculator: the first tap takes it, wherever it lands.
  await tap(0.5, 0.3);
  await one.page.mouse.move(box.x + box.width / 2, box.y + box.height * 0.01);
  await changes("the shade comes down", async () => {
    await one.page.mouse.down();
    await one.page.mouse.move(box.x + box.width / 2, box.y + box.height * 0.7, { steps: 8 });
    await one.page.mouse.up();
  });
  const left = await look(other.page);
  await changes("a switch turns", () => tap(0.25, 0.2));
  expect(await look(other.page)).toBe(left);
  await one.close();
  await eventually("another device takes its place", async () => {
    const now = await shown();
    return now?.state === "ONLINE" && now.uuid !== before?.uuid;
  });
  await eventually("the other sees that one play", async () => (await look(other.page)) !== left);
  expect(other.errors).toEqual([]);
  await other.close();
});
