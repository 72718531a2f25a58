import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { codeAt, fromBase32, stepAt } from "../apps/server/src/features/second-factor/totp.ts";
import { preparedServer } from "./support/prepared-server.ts";
import { SMTP_PASSWORD, startSmtp } from "../apps/server/src/platform/mail/testing/smtp-server.ts";
import { launchBrowser, openPage, seriousFindings, signIn } from "./support/browser.ts";
import { eventually, startDevice } from "./support/instances.ts";
import { demo, type TestServer } from "./support/server.ts";

let server: TestServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([preparedServer(), launchBrowser()]);
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
  await page.getByRole("heading", { name: "Forgot your password" }).waitFor();
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

it("somebody sets up an authenticator app, and signs in with its code and with a recovery code", async () => {
  const { page, errors } = await openPage(browser, server.url);
  await signIn(page, demo.guest);
  await page.goto("/profile#second-factor");
  await page.getByRole("button", { name: "Set up an authenticator app" }).click();
  await page.getByLabel("Your password").fill(demo.guest.password);
  await page.keyboard.press("Enter");
  await page.getByRole("img", { name: "QR code" }).waitFor();
  const secret = fromBase32((await page.locator("code").textContent())?.replaceAll(" ", "") ?? "");
  // An app's next code works too, and each works once.
  const codeOf = (later: number) => codeAt(secret, stepAt(Date.now()) + later);
  expect(await seriousFindings(page)).toEqual([]);
  await page.getByLabel("Code that the app shows").fill(codeOf(0));
  await page.keyboard.press("Enter");
  const recoveryCode = await page
    .getByRole("list", { name: "Recovery codes" })
    .getByRole("listitem")
    .first()
    .textContent();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByText("10 are left").waitFor();
  expect(await seriousFindings(page)).toEqual([]);

  const signInAgain = async () => {
    const again = await openPage(browser, server.url);
    await again.page.goto("/signin?redirect=/profile");
    await again.page.getByLabel("Email").fill(demo.guest.email);
    await again.page.getByLabel("Password", { exact: true }).fill(demo.guest.password);
    await again.page.keyboard.press("Enter");
    await again.page.getByRole("heading", { name: "Confirm it is you" }).waitFor();
    return again;
  };
  const first = await signInAgain();
  expect(await seriousFindings(first.page)).toEqual([]);
  const code = codeOf(1);
  await first.page.getByLabel("Code").fill(`${code.slice(0, 3)} ${code.slice(3)}`);
  await first.page.keyboard.press("Enter");
  await first.page.getByRole("heading", { name: "Your profile" }).waitFor();

  const second = await signInAgain();
  await second.page.getByLabel("Code").fill(code);
  await second.page.keyboard.press("Enter");
  await second.page.getByText(/^This code does not work/).waitFor();
  await second.page.getByRole("button", { name: "Use a recovery code" }).click();
  await second.page.getByLabel("Recovery code").fill(recoveryCode ?? "");
  await second.page.keyboard.press("Enter");
  await second.page.getByText("9 are left").waitFor();
  expect([...errors, ...first.errors]).toEqual([]);
});

it("somebody signs up, confirms the address with the link in a mail, and starts a device as manager; somebody else is a guest", async () => {
  const smtp = await startSmtp();
  const SMTP_URL = `smtp://terrarium:${SMTP_PASSWORD}@127.0.0.1:${smtp.port}`;
  // With little work: the machine may be busy.
  const mailing = await preparedServer({ SMTP_URL, TERRARIUM_PUZZLE_COST: "1" });
  onTestFinished(() => mailing.stop());
  const linkIn = (to: string) =>
    eventually(`a mail for ${to}`, async () => {
      const content = smtp.received.findLast((mail) => mail.to.includes(to))?.content ?? "";
      // Quoted-printable wraps lines and writes `=` as `=3D`.
      return /http:\S+\/signup-confirm\?key=[\w-]{43}/.exec(
        content.replaceAll("=\r\n", "").replaceAll("=3D", "="),
      )?.[0];
    });

  const { page, errors } = await openPage(browser, mailing.url);
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
  await eventually("the second mail", async () => smtp.received.length === 2);

  const link = await linkIn(email);
  await page.goto(link);
  await page.getByRole("heading", { name: "Your address is confirmed" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "This address is confirmed already" }).waitFor();
  await page.getByRole("link", { name: "Go to sign in" }).click();
  await signIn(page, { email, password: PASSWORD });
  const { client } = await mailing.signIn({ email, password: PASSWORD });
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
  const hers = await openPage(browser, mailing.url);
  await signUp(hers.page, guest);
  await hers.page.goto(await linkIn(guest));
  await hers.page.getByRole("heading", { name: "Your address is confirmed" }).waitFor();
  await signIn(hers.page, { email: guest, password: PASSWORD });
  const asGuest = await mailing.signIn({ email: guest, password: PASSWORD });
  await expect(asGuest.client.users.list({ query: {} })).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect([...errors, ...hers.errors]).toEqual([]);
});

const PASSWORD = "a better horse 2";
