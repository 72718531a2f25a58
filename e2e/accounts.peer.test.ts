import type { Browser } from "playwright";
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

it("somebody who forgot their password sets a new one with the link in a mail, and other browsers are signed out", async () => {
  const { email } = demo.user;
  const elsewhere = await openPage(browser, server.url);
  await signIn(elsewhere.page, demo.user);

  const { page, errors } = await openPage(browser, server.url);
  await page.goto("/signin");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await page.getByLabel("Email").fill(email);
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Open the mailbox" }).click();
  await page.getByRole("link", { name: /Set a new password/ }).click();
  const link = page.frameLocator("iframe").getByRole("link", { name: "Set a new password" });
  const [opened] = await Promise.all([page.waitForEvent("popup"), link.click()]);
  await opened.getByLabel("New password").fill("a better horse 2");
  await opened.getByLabel("Confirm password").fill("a better horse 2");
  await opened.keyboard.press("Enter");
  await opened.getByText("Your password was changed. Sign in with it.").waitFor();

  await elsewhere.page.reload();
  await elsewhere.page.waitForURL("**/signin**");
  await signIn(opened, { email, password: "a better horse 2" });
  await page.reload();
  await page.getByRole("link", { name: /Your Terrarium password was changed/ }).waitFor();
  expect(errors).toEqual([]);
});
