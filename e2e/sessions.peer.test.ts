import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import { codeAt, fromBase32, stepAt } from "../apps/server/src/features/second-factor/totp.ts";
import { launchBrowser, openPage, seriousFindings, signIn } from "./support/browser.ts";
import { eventually } from "./support/instances.ts";
import { preparedServer } from "./support/prepared-server.ts";
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

const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; rv:147.0) Gecko/20100101 Firefox/147.0";

/** When the page has left for sign-in, by the clock of this machine. */
const left = (page: Page) => page.waitForURL("**/signin?redirect=%2Frecipes").then(() => Date.now());

it("somebody who signs another browser out sees it leave its page at once, and hears of new places by mail", async () => {
  const { page, errors } = await openPage(browser, server.url);
  await signIn(page, demo.user);
  const elsewhere = await openPage(browser, server.url, { userAgent: FIREFOX });
  await signIn(elsewhere.page, demo.user);
  await elsewhere.page.goto("/recipes");
  await elsewhere.page.getByRole("heading", { name: "Recipes", level: 1 }).waitFor();

  // The mail about the new place leads to the list of places.
  await page.goto("/mailbox");
  await page.getByRole("link", { name: /New sign-in to your Terrarium account/ }).click();
  const link = page.frameLocator("iframe").getByRole("link", { name: "See where you are signed in" });
  const [profile] = await Promise.all([page.waitForEvent("popup"), link.click()]);
  await profile.getByText("This browser", { exact: true }).waitFor();
  expect(new URL(profile.url()).hash).toBe("#sessions");
  // A tab that has stood elsewhere goes there too.
  await profile.goto("/launchpad");
  await profile.getByRole("main").waitFor();
  await profile.goto("/profile#sessions");
  await eventually("the section is in sight", () =>
    profile.getByRole("heading", { name: "Where you are signed in" }).evaluate((heading) => {
      const { top } = heading.getBoundingClientRect();
      return top >= 0 && top < 400;
    }),
  );

  const leaves = left(elsewhere.page);
  const signedOut = profile.waitForResponse((reply) => reply.request().method() === "DELETE").then(() => Date.now());
  await profile.getByRole("button", { name: /^Sign out Firefox on Windows/ }).click();
  const [gone, done] = await Promise.all([leaves, signedOut]);
  console.info(`the other browser's page left ${gone - done} ms after the reply`);
  // A second is the aim; a busy machine takes longer to load the page for sign-in.
  expect(gone - done).toBeLessThan(5_000);
  await profile.getByRole("button", { name: /^Sign out Firefox/ }).waitFor({ state: "detached" });

  // Signed in again, it comes back to where it was.
  await elsewhere.page.getByLabel("Email").fill(demo.user.email);
  await elsewhere.page.getByLabel("Password", { exact: true }).fill(demo.user.password);
  await elsewhere.page.keyboard.press("Enter");
  await elsewhere.page.waitForURL("**/recipes");
  expect([...errors, ...elsewhere.errors]).toEqual([]);
});

/** Gives the page's browser an authenticator that checks its owner, as a laptop with a fingerprint reader has. */
async function withAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    keys: async () => (await devtools.send("WebAuthn.getCredentials", { authenticatorId })).credentials,
  };
}

it("somebody adds a passkey, signs in with it alone, by a press and from what the browser fills in, and removes it", async () => {
  const { page, errors } = await openPage(browser, server.url);
  const authenticator = await withAuthenticator(page);
  await signIn(page, demo.guest);
  await page.goto("/profile#passkeys");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("My laptop");
  await dialog.getByLabel("Your password").fill(demo.guest.password);
  expect(await seriousFindings(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await page.getByText("“My laptop” was added.").waitFor();
  await page.getByRole("dialog", { name: "Keep your recovery codes" }).getByRole("button", { name: "Done" }).click();
  const row = page.getByRole("listitem").filter({ hasText: "My laptop" });
  await row.getByText("On one device").waitFor();
  expect(await authenticator.keys()).toMatchObject([{ rpId: "localhost", isResidentCredential: true }]);
  expect(await seriousFindings(page)).toEqual([]);

  // The device has one already.
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await dialog.getByLabel("Your password").fill(demo.guest.password);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await dialog.getByText("Your account has a passkey there already.").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();

  const signOut = async () => {
    await page.getByRole("button", { name: "Account", exact: true }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL("**/signin**");
  };
  // A browser that fills in no passkeys, until the next page is loaded.
  await page.evaluate(() => void (PublicKeyCredential.isConditionalMediationAvailable = async () => false));
  await signOut();
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByRole("button", { name: "Account", exact: true }).waitFor();

  // The password takes the passkey too.
  await signOut();
  await page.getByLabel("Email").fill(demo.guest.email);
  await page.getByLabel("Password", { exact: true }).fill(demo.guest.password);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.waitForURL("**/launchpad");

  await page.goto("/profile");
  await row.getByText(/^Used/).waitFor();
  await signOut();
  // The browser fills in the only passkey that it has.
  await page.waitForURL("**/launchpad");

  await page.goto("/profile");
  await row.getByRole("button", { name: "Remove" }).click();
  await dialog.getByLabel("Your password").fill(demo.guest.password);
  await dialog.getByRole("button", { name: "Remove" }).click();
  await page.getByText("You have no passkey yet.").waitFor();
  await signOut();
  await page.getByText("This passkey is not known here.").waitFor();
  await eventually("the browser forgets the passkey", async () => (await authenticator.keys()).length === 0);
  expect(errors).toEqual([]);
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
  await signIn(page, demo.manager);
  await page.goto("/profile#second-factor");
  await page.getByRole("button", { name: "Set up an authenticator app" }).click();
  await page.getByLabel("Your password").fill(demo.manager.password);
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
    await again.page.getByLabel("Email").fill(demo.manager.email);
    await again.page.getByLabel("Password", { exact: true }).fill(demo.manager.password);
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
