import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stockAdb } from "./support/adb.ts";
import {
  launchBrowser,
  livePicture,
  openPage,
  pictureOf,
  pictureSize,
  signIn,
  steadyPicture,
  tap,
} from "./support/browser.ts";
import { eventually } from "./support/instances.ts";
import { demo, TestServer } from "./support/server.ts";

/** The part of the screen with the time and the battery. */
const statusBar = { x: 0.6, y: 0, width: 0.4, height: 0.05 };

/** The part with the app, without the status bar, which changes with the time. */
const content = { x: 0, y: 0.06, width: 1, height: 0.9 };

/** The start of a note, small enough that a few words change it visibly. */
const firstLines = { x: 0, y: 0.06, width: 0.6, height: 0.14 };

const row = (page: Page, name: string) => page.getByRole("row", { name: new RegExp(`Select ${name} `) });

const changesFrom = (page: Page, before: string, part?: typeof statusBar) =>
  eventually("the picture changes", async () => (await pictureOf(page, part)) !== before);

describe("a newcomer", () => {
  let server: TestServer;
  let browser: Browser;
  let adb: Awaited<ReturnType<typeof stockAdb>>;
  let first: Awaited<ReturnType<typeof openPage>>;
  let second: Awaited<ReturnType<typeof openPage>>;

  beforeAll(async () => {
    [server, browser, adb] = await Promise.all([TestServer.start(), launchBrowser(), stockAdb()]);
    first = await openPage(browser, server.url);
    second = await openPage(browser, server.url);
    await signIn(first.page, demo.manager);
    await signIn(second.page, demo.manager);
  });
  afterAll(async () => {
    await browser?.close();
    await adb?.stop();
    await server?.stop();
  });

  it("starts a device and sees it come online, also in a second browser", async () => {
    const { page } = first;
    await page.getByRole("button", { name: "Start device" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog
      .getByRole("combobox", { name: /search/i })
      .or(dialog.getByPlaceholder("Search recipes"))
      .first()
      .fill("Phone 6.1 in, Android 15");
    await dialog.getByText("1 recipe", { exact: true }).waitFor();
    await dialog.getByLabel("Device name").fill("first-light");
    await dialog.getByRole("button", { name: "Start device" }).click();
    await row(page, "first-light").getByText("Online").waitFor();

    // The second browser announces the new row instead of moving the ones being read.
    await second.page.getByRole("button", { name: "New data: 1 device" }).click();
    await row(second.page, "first-light").getByText("Online").waitFor();
  });

  it("opens the display with a double click and uses the device", async () => {
    const { page } = first;
    await row(page, "first-light").dblclick();
    await page.waitForURL("**/instance/*");
    await livePicture(page);
    const home = await pictureOf(page);

    // Open the leftmost app of the dock, and go back home
    await tap(page, 0.15, 0.845);
    await changesFrom(page, home);
    const app = await pictureOf(page);
    await page.getByRole("button", { name: /^Home/ }).click();
    await changesFrom(page, app);

    // Swipe up to open the app drawer
    const box = await page.locator("video").boundingBox();
    const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) * 0.7];
    const before = await pictureOf(page);
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let step = 1; step <= 10; step++) await page.mouse.move(x, y - step * 30);
    await page.mouse.up();
    await changesFrom(page, before);
    const drawer = await pictureOf(page);
    await page.getByRole("button", { name: /^Back/ }).click();
    await changesFrom(page, drawer);
  });

  it("types a note on the keyboard, which the app saves", async () => {
    const { page } = first;
    const [device] = await server.instances();
    const shell = await adb.connect(device?.adb ?? "");
    const open = async () => {
      await shell("shell", "am", "start", "-n", "com.terrarium.notes/.Notes");
      await eventually("Notes is in front", async () =>
        (await shell("shell", "dumpsys", "window")).stdout.includes("com.terrarium.notes"),
      );
    };
    const home = await pictureOf(page, content);
    await open();
    await changesFrom(page, home, content);
    const noNotes = await steadyPicture(page, content);

    // The button for a new note
    await tap(page, 0.88, 0.93);
    await changesFrom(page, noNotes, content);
    const empty = await steadyPicture(page, firstLines);
    await page.keyboard.type("hello from a browser");
    await changesFrom(page, empty, firstLines);
    // The first closes the on-screen keyboard, the second the note.
    await page.getByRole("button", { name: /^Back/ }).click();
    await page.getByRole("button", { name: /^Back/ }).click();
    await shell("shell", "am", "force-stop", "com.terrarium.notes");
    await open();
    await eventually(
      "the list has the note",
      async () => ![noNotes, home].includes(await steadyPicture(page, content)),
    );
    await page.getByRole("button", { name: /^Home/ }).click();
  });

  it("rotates the device", async () => {
    const { page } = first;
    const [width, height] = await pictureSize(page);
    await page.getByRole("button", { name: /^Rotate/ }).click();
    await eventually("it is in landscape", async () => {
      const turned = await pictureSize(page);
      return turned[0] === height && turned[1] === width;
    });
    await page.getByRole("button", { name: /^Rotate/ }).click();
    await eventually("it is in portrait again", async () => (await pictureSize(page))[0] === width);
  });

  it("changes the battery and sees it in the status bar", async () => {
    const { page } = first;
    const before = await pictureOf(page, statusBar);
    await page.getByRole("button", { name: /^Battery/ }).click();
    await page.getByRole("slider").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("Escape");
    await changesFrom(page, before, statusBar);
    const [device] = await server.instances();
    const shell = await adb.connect(device?.adb ?? "");
    await eventually("the device reports the level", async () =>
      /level: [01]\n/.test((await shell("shell", "dumpsys", "battery")).stdout),
    );
  });

  it("shows the device again after a reload, next to another viewer", async () => {
    const { page } = first;
    await second.page.goto(page.url());
    await livePicture(second.page);
    await page.reload();
    await livePicture(page);
    const before = await pictureOf(second.page);
    await page.getByRole("button", { name: /^Recents/ }).click();
    await changesFrom(second.page, before);
    await second.page.goto("/launchpad");
  });

  it("reconnects by itself after the server was killed and restarted", async () => {
    const { page } = first;
    await page.getByRole("button", { name: /^Home/ }).click();
    await server.kill();
    await server.start();
    await eventually("it is live again", async () => {
      const before = await pictureOf(page);
      await page.getByRole("button", { name: /^Recents/ }).click({ timeout: 500 });
      return (await pictureOf(page)) !== before;
    });
  });

  it("stops the device, and both browsers see it end", async () => {
    const { page } = first;
    await row(second.page, "first-light").getByText("Online").waitFor();
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Stop device" }).click();
    await page.waitForURL("**/launchpad");
    await row(second.page, "first-light")
      .getByText(/Stopping|Offline/)
      .waitFor();
    await second.page.getByRole("button", { name: /Refresh/ }).click();
    await second.page
      .getByText("No devices yet")
      .or(second.page.getByText(/no devices/i))
      .first()
      .waitFor();
    expect([...first.errors, ...second.errors]).toEqual([]);
  });
});
