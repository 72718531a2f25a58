import { AxeBuilder } from "@axe-core/playwright";
import { chromiumOptions } from "./chromium.ts";
import { eventually } from "./instances.ts";
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from "playwright";

export const launchBrowser = (): Promise<Browser> => chromium.launch(chromiumOptions);

/** A person's browser: its own storage, and every fault of the page kept. */
export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 }, ...options });
  // Only what hangs takes so long, also on a machine that is busy with other things.
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  return { page, faults, close: () => context.close() };
}

export async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.goto("/signin");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL("**/launchpad");
}

/** The picture of a device once it moves. */
export async function livePicture(page: Page): Promise<Locator> {
  const video = page.locator("video");
  await page.waitForFunction(() => {
    const element = document.querySelector("video");
    return element !== null && element.videoWidth > 0 && element.currentTime > 0 && !element.paused;
  });
  return video;
}

/** Width and height of the video as it is decoded now. */
export const pictureSize = (page: Page): Promise<[number, number]> =>
  page.evaluate(() => {
    const element = document.querySelector("video");
    return [element?.videoWidth ?? 0, element?.videoHeight ?? 0];
  });

/** A coarse print of a part of the picture, in shares of its sides: equal prints look alike. */
export const pictureOf = (page: Page, part = { x: 0, y: 0, width: 1, height: 1 }): Promise<string> =>
  page.evaluate(({ x, y, width, height }) => {
    const video = document.querySelector("video");
    const canvas = document.createElement("canvas");
    canvas.width = 24;
    canvas.height = 24;
    const context = canvas.getContext("2d");
    if (!video || !context) return "";
    const { videoWidth: w, videoHeight: h } = video;
    context.drawImage(video, x * w, y * h, width * w, height * h, 0, 0, 24, 24);
    // Four steps a colour: compression is not a change.
    return [...context.getImageData(0, 0, 24, 24).data].map((value) => value >> 6).join("");
  }, part);

/** The print of a part of the picture once it stands still. */
export async function steadyPicture(
  page: Page,
  part?: { x: number; y: number; width: number; height: number },
): Promise<string> {
  let before = "";
  return eventually("the picture stands still", async () => {
    await page.waitForTimeout(STILL_MS);
    const now = await pictureOf(page, part);
    const isSteady = now === before;
    before = now;
    return isSteady && now;
  });
}

/** Longer than a frame of an animation and its way to the page. */
const STILL_MS = 150;

/** Taps a place of the picture, given in shares of its sides. */
export async function tap(page: Page, x: number, y: number): Promise<void> {
  const box = await page.locator("video").boundingBox();
  if (!box) throw new Error("there is no picture");
  await page.mouse.click(box.x + box.width * x, box.y + box.height * y);
}

/** What a person with a disability would stumble over, by axe; only what is serious. */
export async function seriousFindings(page: Page): Promise<string[]> {
  // Half faded in, anything is too pale.
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => String(target)).join(", ")}`);
}
