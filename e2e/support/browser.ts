import { AxeBuilder } from "@axe-core/playwright";
import axe from "axe-core";
import { chromiumOptions } from "./chromium.ts";
import { eventually } from "./instances.ts";
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from "playwright";
import { onTestFailed, TestRunner } from "vitest";

export const launchBrowser = (): Promise<Browser> => chromium.launch(chromiumOptions);

/**
 * Opens a page with its own storage, and collects its uncaught errors. It moves little, unless that is what is looked at: here
 * animations are painted by a processor. Of a test that fails it tells what the page shows then.
 */
export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}) {
  const viewport = { width: 1440, height: 900 };
  const context = await browser.newContext({ baseURL: url, viewport, reducedMotion: "reduce", ...options });
  // Generous, for busy machines: only something that hangs takes this long.
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  // Pages that several tests share are opened before them.
  if (TestRunner.getCurrentTest())
    onTestFailed(async () => {
      if (page.isClosed()) return;
      const shown = await page.locator("body").ariaSnapshot({ timeout: 5000 }).catch(String);
      console.error(`${page.url()}\n${shown}`);
    });
  return { page, errors, close: () => context.close() };
}

/** @param path where somebody was going who is asked to sign in */
export async function signIn(
  page: Page,
  { email, password }: { email: string; password: string },
  path = "/launchpad",
): Promise<void> {
  await page.goto(`/signin?redirect=${path}`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(({ pathname }) => pathname === path);
}

/** From the next address on, the page is in a network that lets no WebRTC through. */
export async function blockWebRtc(page: Page): Promise<void> {
  await page.addInitScript(() => {
    // Only a relay would do, and there is none.
    window.RTCPeerConnection = class extends RTCPeerConnection {
      constructor(settings?: RTCConfiguration) {
        super({ ...settings, iceTransportPolicy: "relay" });
      }
    };
  });
}

/** Waits until the device's video plays. */
export async function livePicture(page: Page): Promise<Locator> {
  const video = page.locator("video");
  await page.waitForFunction(() => {
    const element = document.querySelector("video");
    return element !== null && element.videoWidth > 0 && element.currentTime > 0 && !element.paused;
  });
  return video;
}

/** The current width and height of the decoded video. */
export const pictureSize = (page: Page): Promise<[number, number]> =>
  page.evaluate(() => {
    const element = document.querySelector("video");
    return [element?.videoWidth ?? 0, element?.videoHeight ?? 0];
  });

/** A coarse fingerprint of a part of the video, given in fractions of its size. Similar frames have equal fingerprints. */
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
    // Four levels per colour, so that compression artefacts do not count as changes.
    return [...context.getImageData(0, 0, 24, 24).data].map((value) => value >> 6).join("");
  }, part);

/** The fingerprint of a part of the video, as soon as it stops changing. */
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

/** Longer than it takes a frame of an animation to reach the page. */
const STILL_MS = 150;

/** Taps a place of the video, given in fractions of its size. */
export async function tap(page: Page, x: number, y: number): Promise<void> {
  const box = await page.locator("video").boundingBox();
  if (!box) throw new Error("there is no video");
  await page.mouse.click(box.x + box.width * x, box.y + box.height * y);
}

async function runAxe(page: Page, options: axe.RunOptions): Promise<axe.AxeResults> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  return page.evaluate((given) => (window as unknown as { axe: typeof axe }).axe.run(document, given), options);
}

interface AxeRule {
  id: string;
  impact: string;
  enabled: boolean;
  tags: string[];
}
const { rules } = (axe as unknown as { _audit: { rules: AxeRule[] } })._audit;
/** What axe looks at by itself, without the half that it would never call serious. */
const seriousRules = rules
  .filter(({ impact, enabled, tags }) => enabled && /serious|critical/.test(impact) && !tags.includes("experimental"))
  .map(({ id }) => id);

/** The accessibility violations that axe considers serious or critical; of all of its rules by default. */
export async function seriousFindings(page: Page, values = seriousRules): Promise<string[]> {
  // Wait for fade-ins, during which contrast is too low.
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
  // None of these rules needs style sheets and media fetched anew.
  const options: axe.RunOptions = { resultTypes: ["violations"], runOnly: { type: "rule", values }, preload: false };
  // A page without frames is looked at in itself, which takes a part of the time: axe is compiled once. It cannot run in a sandbox.
  const { violations } =
    (await page.locator("iframe:not([sandbox])").count()) === 0
      ? await runAxe(page, { ...options, iframes: false })
      : await new AxeBuilder({ page }).options(options).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => String(target)).join(", ")}`);
}

/** Likewise in both modes, of which the page keeps the other one: only contrast differs between them. */
export async function findingsInBothModes(page: Page): Promise<string[]> {
  const findings = await seriousFindings(page);
  const mode = await page.evaluate(() => (document.documentElement.dataset["theme"] === "dark" ? "light" : "dark"));
  await page.emulateMedia({ colorScheme: mode });
  await page.waitForFunction((theme) => document.documentElement.dataset["theme"] === theme, mode);
  const others = await seriousFindings(page, ["color-contrast"]);
  return [...findings, ...others.map((finding) => `${mode}: ${finding}`)];
}
