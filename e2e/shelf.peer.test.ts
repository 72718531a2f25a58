import { activeStates } from "@terrarium/contract";
import type { Browser, Page, WebSocket } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stockAdb } from "./support/adb.ts";
import { launchBrowser, livePicture, openPage, seriousFindings, signIn } from "./support/browser.ts";
import { eventually } from "./support/instances.ts";
import { preparedServer } from "./support/prepared-server.ts";
import { demo, type TestServer } from "./support/server.ts";

describe("the shelf of live devices", () => {
  let server: TestServer;
  let browser: Browser;
  let adb: Awaited<ReturnType<typeof stockAdb>>;

  beforeAll(async () => {
    [server, browser, adb] = await Promise.all([preparedServer(), launchBrowser(), stockAdb()]);
  });
  afterAll(async () => {
    await adb?.stop();
    await browser?.close();
    await server?.stop();
  });

  it("begins with one press, lives while it is looked at, and grows into the display", async () => {
    const { page, errors, close } = await openPage(browser, server.url);
    const looks: WebSocket[] = [];
    page.on("websocket", (socket) => {
      if (socket.url().endsWith("/miniature")) looks.push(socket);
    });
    await signIn(page, demo.user);

    // An empty launchpad: one press, and the device is alive
    await page.getByRole("button", { name: /^Start .*phone/i }).click();
    const device = page.getByRole("link", { name: /^Open .*phone/i });
    await device.waitFor();
    const first = await eventually("there is a picture", () => miniatureOf(page));
    expect(await seriousFindings(page)).toEqual([]);

    // It changes with the device
    const { client } = await server.signIn(demo.user);
    const { results } = await client.instances.list({ query: { state: [...activeStates] } });
    const address = (await server.instances()).find(({ uuid }) => uuid === results[0]?.uuid)?.adb ?? "";
    const shell = await adb.connect(address);
    await shell("shell", "am", "start", "-a", "android.settings.SETTINGS");
    await eventually("the picture changes", async () => {
      const now = await miniatureOf(page);
      return now !== undefined && now !== first;
    });

    // Nobody looks at it while the page is hidden
    expect(looks).toHaveLength(1);
    await setVisibility(page, "hidden");
    await eventually("nobody looks", async () => looks.every((look) => look.isClosed()));
    await setVisibility(page, "visible");
    await eventually("somebody looks again", async () => looks.length === 2);

    // Pressed, it is the picture of the display until that is connected
    const held = Promise.withResolvers<void>();
    await page.route("**/instances/access-token", async (route) => {
      await held.promise;
      await route.continue();
    });
    await device.click();
    await page.waitForURL(/\/instance\//);
    const poster = page.getByRole("region").locator("canvas");
    await poster.waitFor();
    expect(await page.locator("video").count()).toBe(0);
    held.resolve();
    await livePicture(page);
    await poster.waitFor({ state: "detached" });
    await eventually("the shelf looks no longer", async () => looks.every((look) => look.isClosed()));

    // And back
    await page.goBack();
    await device.waitFor();
    // On a busy machine the browser leaves out the animation, and says so.
    expect(errors.filter((message) => !message.startsWith("Transition was"))).toEqual([]);
    await close();
  });
});

/** What the one miniature on the page shows, coarsely; undefined while it is dark. */
const miniatureOf = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>("main canvas");
    const sample = document.createElement("canvas");
    sample.width = sample.height = 16;
    const context = sample.getContext("2d");
    if (!canvas?.width || !context) return undefined;
    context.drawImage(canvas, 0, 0, 16, 16);
    // Four levels per colour, so that compression artefacts do not count as changes.
    return [...context.getImageData(0, 0, 16, 16).data].map((value) => value >> 6).join("");
  });

const setVisibility = (page: Page, state: "visible" | "hidden") =>
  page.evaluate((value) => {
    Object.defineProperty(document, "visibilityState", { value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);
