import { createClient } from "@terrarium/sdk";
import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import { preparedServer } from "./support/prepared-server.ts";
import { SMTP_PASSWORD, listenSmtp } from "../apps/server/src/platform/mail/testing/smtp-server.ts";
import { launchBrowser, openPage, seriousFindings, signIn } from "./support/browser.ts";
import { eventually, startDevice } from "./support/instances.ts";
import { demo, type TestServer } from "./support/server.ts";

const PASSWORD = "a better horse 2";
let smtp: Awaited<ReturnType<typeof listenSmtp>>;
/** It sends its mails to a real server. */
let server: TestServer;
let browser: Browser;

beforeAll(async () => {
  smtp = await listenSmtp();
  const SMTP_URL = `smtp://terrarium:${SMTP_PASSWORD}@127.0.0.1:${smtp.port}`;
  // With little work for who signs up: the machine may be busy.
  const environment = { SMTP_URL, TERRARIUM_PUZZLE_COST: "1" };
  [server, browser] = await Promise.all([preparedServer(environment), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await smtp?.stop();
});

const mailed = (to: string, subject: string) =>
  eventually(`the mail “${subject}” arrives`, async () =>
    smtp.received.find((mail) => mail.to.includes(to) && mail.content.includes(`Subject: ${subject}`)),
  );
const login = (email: string, password: string) =>
  createClient({ baseUrl: server.url })
    .users.login({ body: { email, password } })
    .then(
      () => "in",
      ({ code }: { code: string }) => code,
    );

it("somebody signs up, confirms the address with the link in a mail, and starts a device as manager; somebody else is a guest", async () => {
  const linkIn = (to: string) =>
    eventually(`a mail for ${to}`, async () => {
      const content = smtp.received.findLast((mail) => mail.to.includes(to))?.content ?? "";
      // Quoted-printable wraps lines and writes `=` as `=3D`.
      return /http:\S+\/signup-confirm\?key=[\w-]{43}/.exec(
        content.replaceAll("=\r\n", "").replaceAll("=3D", "="),
      )?.[0];
    });

  const { page, errors } = await openPage(browser, server.url);
  const signUp = async (page: Page, email: string, organization = "") => {
    await page.goto("/signup");
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Organization (optional)").fill(organization);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByLabel("Confirm password").fill(PASSWORD);
    await page.getByRole("checkbox", { name: /terms/ }).check();
    await page.getByRole("checkbox", { name: /privacy/ }).check();
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText(`We have sent a mail to ${email}`).waitFor();
  };
  const email = "ines@northwind.example";
  await page.goto("/");
  expect(await seriousFindings(page)).toEqual([]);
  await signUp(page, email, "Northwind");
  expect(await seriousFindings(page)).toEqual([]);

  await page.goto("/signin");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByText(/confirm your email address first/).waitFor();
  await page.getByRole("button", { name: "Send the mail again" }).click();
  await page.getByText(/^Sent again/).waitFor();
  await eventually("the second mail", async () => smtp.received.filter(({ to }) => to.includes(email)).length === 2);

  const link = await linkIn(email);
  await page.goto(link);
  await page.getByRole("heading", { name: "Your address is confirmed" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "This address is confirmed already" }).waitFor();
  await page.getByRole("link", { name: "Go to sign in" }).click();
  await signIn(page, { email, password: PASSWORD });
  const { client } = await server.signIn({ email, password: PASSWORD });
  const { owner } = await startDevice(client, { name: "first" });
  expect(await client.users.get({ params: { uuid: owner.uuid } })).toMatchObject({
    is_organization_manager: true,
    tnc_accepted: true,
    organization: { name: "Northwind" },
  });
  // It stands there already, if the page read its list after the start.
  const [offered, first] = [
    page.getByRole("button", { name: "New data: 1 device" }),
    page.getByText("first", { exact: true }),
  ];
  await offered.or(first).first().waitFor();
  if (await offered.isVisible()) await offered.click();
  await first.first().waitFor();

  const guest = "priya@northwind.example";
  const hers = await openPage(browser, server.url);
  await signUp(hers.page, guest);
  await hers.page.goto(await linkIn(guest));
  await hers.page.getByRole("heading", { name: "Your address is confirmed" }).waitFor();
  await signIn(hers.page, { email: guest, password: PASSWORD });
  const asGuest = await server.signIn({ email: guest, password: PASSWORD });
  await expect(asGuest.client.users.list({ query: {} })).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect([...errors, ...hers.errors]).toEqual([]);
});

it("somebody changes their names and password, takes their data along, and deletes their account", async () => {
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
