import { createClient } from "@terrarium/sdk";
import { readFile } from "node:fs/promises";
import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { preparedServer } from "./support/prepared-server.ts";
import { SMTP_PASSWORD, startSmtp } from "../apps/server/src/platform/mail/testing/smtp-server.ts";
import { launchBrowser, openPage, seriousFindings, signIn } from "./support/browser.ts";
import { eventually, startDevice } from "./support/instances.ts";
import { demo } from "./support/server.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** A server that sends its mails to a real one. */
async function withMail() {
  const smtp = await startSmtp();
  const server = await preparedServer({ SMTP_URL: `smtp://terrarium:${SMTP_PASSWORD}@127.0.0.1:${smtp.port}` });
  onTestFinished(() => server.stop());
  return {
    server,
    mailed: (to: string, subject: string) =>
      eventually(`the mail “${subject}” arrives`, async () =>
        smtp.received.find((mail) => mail.to.includes(to) && mail.content.includes(`Subject: ${subject}`)),
      ),
    login: (email: string, password: string) =>
      createClient({ baseUrl: server.url })
        .users.login({ body: { email, password } })
        .then(
          () => "in",
          ({ code }: { code: string }) => code,
        ),
  };
}

it("somebody changes their names and password, takes their data along, and deletes their account", async () => {
  const { server, mailed, login } = await withMail();
  const { email, password } = demo.user;
  const elsewhere = await server.signIn(demo.user);
  const device = await startDevice(elsewhere.client, { name: "left-behind" });
  const { page, errors } = await openPage(browser, server.url);
  await signIn(page, demo.user);
  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("menuitem", { name: "Your profile" }).click();

  // Names
  await page.getByLabel("First name").fill("Tom");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Your names were saved.").waitFor();
  expect(await seriousFindings(page)).toEqual([]);

  // Password
  const changed = "a better horse 2";
  const change = async (old: string) => {
    await page.getByLabel("Current password").fill(old);
    await page.getByLabel("New password", { exact: true }).fill(changed);
    await page.getByLabel("Confirm new password").fill(changed);
    await page.keyboard.press("Enter");
  };
  await change("not this one 1");
  await page.getByText("Fail to update password. The current password is not right.").waitFor();
  await change(password);
  await page.getByText("Your password was changed. Other browsers were signed out.").waitFor();
  await mailed(email, "Your Terrarium password was changed");
  expect([await login(email, password), await login(email, changed)]).toEqual(["BAD_USERNAME_PASSWORD", "in"]);
  await expect(elsewhere.client.instances.list({ query: {} })).rejects.toMatchObject({ code: "NOT_AUTHENTICATED" });

  // Data
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download your data" }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^terrarium-\d{4}-\d\d-\d\d\.json$/);
  const data = JSON.parse(await readFile(await file.path(), "utf8")) as Record<string, { name?: string }[]>;
  expect(data).toMatchObject({ account: { email, first_name: "Tom" }, devices: [{ name: "left-behind" }] });
  expect(JSON.stringify(data.mails)).toContain("password was changed");
  expect(JSON.stringify(data)).not.toContain(elsewhere.token);

  // The end
  await page.getByRole("button", { name: "Delete account" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete your account" });
  await dialog.getByText("One running device stops now").waitFor();
  await dialog.getByText("left-behind").waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await dialog.getByLabel("Your password").fill(changed);
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await page.getByText("Your account was deleted. A mail confirms it.").waitFor();
  await page.waitForURL("**/signin");
  expect(await login(email, changed)).toBe("BAD_USERNAME_PASSWORD");
  await mailed(email, "Your Terrarium account was deleted");
  await eventually("the device is gone", async () => {
    const devices = await server.instances();
    return !devices.some(({ uuid }) => uuid === device.uuid);
  });
  expect(errors).toEqual([]);
});

it("an account that nobody uses is deleted after 18 months and a month's notice", async () => {
  const { server, mailed, login } = await withMail();
  const email = "moss@fernworks.test";
  const password = "correct horse 1";
  await server.operateWith(password, "users", "add", email, "--organization", "Moss");
  await server.operate("clock", "+548d");
  await mailed(email, "Your Terrarium account will be deleted");
  // Once an hour it is noted what was sent.
  await server.operate("clock", "+1h");
  expect(await server.operate("clock", "+30d")).toMatch(/^It is \d{4}-/);
  await mailed(email, "Your Terrarium account was deleted");
  expect(await login(email, password)).toBe("BAD_USERNAME_PASSWORD");
});
