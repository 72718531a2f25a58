import type { Browser, BrowserContextOptions, Locator, Page } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser, openPage, signIn } from "./support/browser.ts";
import { demo, TestServer } from "./support/server.ts";

let server: TestServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([TestServer.start(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** Nothing leaves a list while the pointer rests on it. */
const letGo = (page: Page) => page.mouse.move(0, 0);

/** Somebody's browser, on the launchpad. Whether a page was loaded again is told by a mark that would be gone. */
async function openLaunchpad(options: BrowserContextOptions = {}) {
  const opened = await openPage(browser, server.url, options);
  await signIn(opened.page, demo.user);
  await opened.page.evaluate(() => document.body.setAttribute("data-loaded-once", ""));
  return { ...opened, isSame: () => opened.page.locator("body[data-loaded-once]").count() };
}

const rowsOf = (page: Page, name: string): Locator => page.getByRole("row", { name: new RegExp(name) });
const cardsOf = (page: Page, name: string): Locator =>
  page.getByRole("list", { name: "Devices" }).getByRole("listitem").filter({ hasText: name });

it("keeps two browsers and a phone of one person in step", { timeout: 240_000 }, async () => {
  const all = await Promise.all([
    openLaunchpad(),
    openLaunchpad(),
    openLaunchpad({ viewport: { width: 390, height: 844 } }),
  ]);
  const [here, there, phone] = all.map(({ page }) => page) as [Page, Page, Page];
  const shown = [
    (name: string) => rowsOf(here, name),
    (name: string) => rowsOf(there, name),
    (name: string) => cardsOf(phone, name),
  ];
  const everywhere = (look: (each: { page: Page; device: (name: string) => Locator }) => Promise<unknown>) =>
    Promise.all(all.map(({ page }, index) => look({ page, device: shown[index] ?? shown[0]! })));

  // One starts two devices: the others hear of them, and show each once.
  for (const name of ["fern", "moss"]) {
    await here.getByRole("button", { name: "Start device" }).first().click();
    const dialog = here.getByRole("dialog", { name: "Start a device" });
    await dialog.getByLabel("Device name").fill(name);
    await dialog.getByRole("button", { name: "Start device" }).click();
    await rowsOf(here, name).waitFor();
  }
  for (const page of [there, phone]) await page.getByRole("button", { name: "New data: 2 devices" }).click();
  await everywhere(({ page }) => letGo(page));
  await everywhere(async ({ page, device }) => {
    for (const name of ["fern", "moss"]) await device(name).getByText("Online").waitFor();
    await page.getByText("2 of 10 running").waitFor();
    expect([await device("fern").count(), await device("moss").count()]).toEqual([1, 1]);
  });

  // Saved in the second, it ends on all of them, and each is told that it was saved.
  await rowsOf(there, "fern").getByRole("button", { name: "Save fern" }).click();
  const save = there.getByRole("dialog", { name: "Save fern" });
  await save.getByLabel("Recipe name").fill("Fern, saved");
  await save.getByRole("button", { name: "Save device" }).click();
  await letGo(there);
  await everywhere(async ({ page, device }) => {
    await page.getByText("fern is saved. Its recipe can be started.").waitFor();
    await device("fern").waitFor({ state: "detached" });
    await page.getByText("1 of 10 running").waitFor();
  });

  // Stopped on the phone, the other is gone everywhere.
  await phone.getByRole("button", { name: "More actions for moss" }).click();
  await phone.getByRole("menuitem", { name: "Stop device" }).click();
  await phone.getByRole("dialog", { name: "Stop moss?" }).getByRole("button", { name: "Stop device" }).click();
  await letGo(phone);
  await everywhere(async ({ page, device }) => {
    await device("moss").waitFor({ state: "detached" });
    await page.getByText("0 of 10 running").waitFor();
  });

  // A recipe that is renamed in one has its new name in the others.
  await everywhere(async ({ page }) => {
    if (page === phone) await page.getByRole("button", { name: "Open navigation" }).click();
    await page.getByRole("link", { name: "Recipes" }).click();
    await page.getByRole("listitem", { name: "Fern, saved", exact: true }).waitFor();
  });
  await here.getByRole("button", { name: "More actions for Fern, saved" }).click();
  await here.getByRole("menuitem", { name: "Edit" }).click();
  await here.getByRole("dialog").getByLabel("Name").fill("Fern, renamed");
  await here.getByRole("dialog").getByRole("button", { name: "Save recipe" }).click();
  await everywhere(async ({ page }) => {
    await page.getByRole("listitem", { name: "Fern, renamed", exact: true }).waitFor();
    expect(await page.getByRole("listitem", { name: "Fern, saved", exact: true }).count()).toBe(0);
  });

  expect(await Promise.all(all.map(({ isSame }) => isSame()))).toEqual([1, 1, 1]);
  expect(all.flatMap(({ errors }) => errors)).toEqual([]);
  await Promise.all(all.map(({ close }) => close()));
});
