import type { Browser, Page, Request } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import { preparedServer } from "./support/prepared-server.ts";
import { startOpenIdServer } from "../apps/server/src/features/sso/testing/openid-server.ts";
import { listenSmtp, SMTP_PASSWORD } from "../apps/server/src/platform/mail/testing/smtp-server.ts";
import { launchBrowser, openPage, signIn } from "./support/browser.ts";
import { eventually } from "./support/instances.ts";
import { demo, type TestServer } from "./support/server.ts";

let server: TestServer;
let browser: Browser;
let smtp: Awaited<ReturnType<typeof listenSmtp>>;

beforeAll(async () => {
  smtp = await listenSmtp();
  const SMTP_URL = `smtp://terrarium:${SMTP_PASSWORD}@127.0.0.1:${smtp.port}`;
  [server, browser] = await Promise.all([preparedServer({ SMTP_URL }), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await smtp?.stop();
});

/** Chooses who to be on the page of the stand-in. */
async function beAt(page: Page, provider: "Google" | "GitHub", email: string): Promise<void> {
  await page.getByRole("button", { name: `Continue with ${provider}` }).click();
  await page.getByRole("heading", { name: `Stand-in for ${provider}` }).waitFor();
  await page.getByLabel("Somebody else").fill(email);
  await page.getByRole("button", { name: "Continue" }).click();
}

/** Invites somebody; returns the link in the mail that the server has sent. */
async function invite(email: string): Promise<string> {
  const { client } = await server.signIn(demo.manager);
  await client.invitations.invite({ body: { emails: [email], optionalMessage: "Welcome to the team" } });
  const mail = await eventually("the mail arrives", async () => smtp.received.find(({ to }) => to.includes(email)));
  // Quoted-printable wraps lines and writes `=` as `=3D`.
  const content = mail.content.replaceAll("=\r\n", "").replaceAll("=3D", "=");
  expect(content).toContain("Welcome to the team");
  return /http:\/\/localhost:\d+\/join\/[\w-]{43}/.exec(content)?.[0] ?? "";
}

/** Has a password link mailed, and sets a password with it; that signs out everywhere. */
async function setPassword(email: string, new_password: string): Promise<void> {
  const { client } = await server.signIn(demo.manager);
  await client.passwords.requestLink({ body: { email } });
  const key = await eventually("the link arrives", async () =>
    smtp.received
      .filter(({ to }) => to.includes(email))
      .map(({ content }) => /\/password-reset\/new\/([\w-]{43})/.exec(content.replaceAll("=\r\n", ""))?.[1])
      .find(Boolean),
  );
  await client.passwords.reset({ body: { reset_key: key ?? "", new_password } });
}

/** Whose profile it is. */
const addressIn = (page: Page) => page.getByLabel("Email").first().inputValue();

const acceptTerms = async (page: Page) => {
  await page.getByRole("button", { name: /^Accept/ }).click();
  await page.waitForURL("**/launchpad");
};

/** What the page asks of a route. */
function requestsTo(page: Page, path: RegExp): Request[] {
  const asked: Request[] = [];
  page.on("request", (request) => {
    if (path.test(new URL(request.url()).pathname)) asked.push(request);
  });
  return asked;
}

it("somebody new signs in with Google, gets where they were going, and has the same account the next time", async () => {
  const { page, errors } = await openPage(browser, server.url);
  const callbacks = requestsTo(page, /\/v1\/sso\/oauth\/callback$/);
  await page.goto("/signin?redirect=%2Fprofile");
  await beAt(page, "Google", "robin@example.com");
  await page.waitForURL("**/terms-and-conditions**");
  await page.getByRole("button", { name: /^Accept/ }).click();
  await page.waitForURL("**/profile");
  await eventually("the profile is shown", async () => (await addressIn(page)) === "robin@example.com");
  expect(callbacks.map((request) => request.headers()["authorization"])).toEqual([undefined]);

  // GitHub is linked in the profile, with a password, and then signs in to the same account.
  await setPassword("robin@example.com", "a better horse 2");
  await page.waitForURL("**/signin?redirect=%2Fprofile");
  await beAt(page, "Google", "robin@example.com");
  await page.waitForURL("**/profile");
  await page.getByRole("button", { name: "Link GitHub" }).click();
  await page.getByLabel("Your password").fill("a better horse 2");
  await page.getByRole("button", { name: "Continue to GitHub" }).click();
  await page.getByLabel("Somebody else").fill("robin@elsewhere.example");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("The account was linked.").waitFor();
  await page.getByText("as robin@elsewhere.example").waitFor();
  const other = await openPage(browser, server.url);
  await other.page.goto("/signin");
  await beAt(other.page, "GitHub", "robin@elsewhere.example");
  await other.page.waitForURL("**/launchpad");
  await other.page.goto("/profile");
  await eventually("the profile is shown", async () => (await addressIn(other.page)) === "robin@example.com");
  await page.getByRole("button", { name: "Unlink GitHub, robin@elsewhere.example" }).click();
  await page.getByLabel("Your password").fill("a better horse 2");
  await page.getByRole("dialog").getByRole("button", { name: "Unlink" }).click();
  await page.getByRole("button", { name: "Link GitHub" }).waitFor();
  expect([...errors, ...other.errors]).toEqual([]);
});

it("somebody who was invited joins with a password", async () => {
  const { page, errors } = await openPage(browser, server.url);
  await page.goto(await invite("kim@example.com"));
  await page.getByText("kim@example.com").waitFor();
  await page.getByLabel("Choose a password").fill("a better horse 2");
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByText("Accept the terms to join").waitFor();
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Join" }).click();
  await page.waitForURL("**/launchpad");
  await page.goto("/profile");
  await eventually("the profile is shown", async () => (await addressIn(page)) === "kim@example.com");
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect(errors).toEqual([]);
});

it("somebody who was invited joins with GitHub, and with no other account of it", async () => {
  const { page, errors } = await openPage(browser, server.url);
  const accepts = requestsTo(page, /\/v2\/accounts\/invites\//);
  const begins = requestsTo(page, /\/v1\/sso\/oauth\/login-url$/);
  const link = await invite("lee@example.com");
  await page.goto(link);
  await beAt(page, "GitHub", "somebody.else@example.com");
  await page.getByRole("dialog").getByText("That account has another address").waitFor();
  expect(page.url()).toBe(link);
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await beAt(page, "GitHub", "lee@example.com");
  await acceptTerms(page);
  const sent = accepts.filter((request) => request.method() === "POST");
  expect(sent.map((request) => request.postData())).toEqual(["{}"]);
  expect(new URL(begins[0]?.url() ?? "").searchParams.get("invitation_token")).toBe(link.split("/").at(-1));
  const { client } = await server.signIn(demo.manager);
  const { results } = await client.users.list({ query: { page_size: -1 } });
  expect(results.map(({ email }) => email)).toContain("lee@example.com");
  expect(errors).toEqual([]);
});

it("somebody signed in who opens an invitation is told so, and can sign out to open it", async () => {
  const { page, errors } = await openPage(browser, server.url);
  await page.goto("/signin");
  await page.getByLabel("Email").fill(demo.guest.email);
  await page.getByLabel("Password", { exact: true }).fill(demo.guest.password);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/launchpad");
  const link = await invite("max@example.com");
  await page.goto(link);
  await page.waitForURL("**/launchpad");
  const dialog = page.getByRole("dialog", { name: "You are signed in already" });
  await dialog.getByText(demo.guest.email).waitFor();
  await dialog.getByRole("button", { name: "Sign out and open it" }).click();
  await page.getByLabel("Choose a password").waitFor();
  expect(page.url()).toBe(link);
  expect(errors).toEqual([]);
});

it("a company's own provider says who joins which group, and no longer does", async () => {
  const provider = await startOpenIdServer(`${server.url}/signin/sso/oauth/organization/`);
  const { issuer, client, be } = provider;
  const words = ["organizations", "sign-in", "Northwind Mobile", "moss.example", issuer, client.id];
  await server.operateWith(client.secret, ...words);
  const manager = await openPage(browser, server.url);
  await signIn(manager.page, demo.manager, "/administration/groups");
  const group = manager.page.getByRole("treeitem", { name: /^Lab/ });
  const { client: api } = await server.signIn(demo.manager);
  await api.groups.create({ body: { name: "Lab" } });
  await group.waitFor();

  // A manager says which value stands for which group
  const { page, errors } = manager;
  await page.goto("/administration/settings");
  const section = page.getByRole("region", { name: "Groups from sign-in" });
  await section.getByLabel(/^Claim/).fill("groups");
  await section.getByRole("button", { name: "Add a value" }).click();
  await section.getByLabel("Value", { exact: true }).fill("lab");
  const chosen = section.getByRole("combobox", { name: "Group" });
  await chosen.fill("Lab");
  await page.getByRole("option", { name: "Lab" }).waitFor();
  // A press of the mouse may miss it while the sections above are loading.
  await chosen.press("Enter");
  await section.getByRole("button", { name: "Save" }).click();
  await page.getByText("People join these groups when they sign in.").waitFor();
  await page.goto("/administration/groups");

  // Somebody new, whom the provider counts among them
  const robin = { sub: "robin", email: "robin@moss.example", email_verified: true };
  const come = async (groups: string[]) => {
    be({ ...robin, groups });
    const hers = await openPage(browser, server.url);
    await hers.page.goto("/signin");
    await hers.page.getByRole("button", { name: "Continue with your organization" }).click();
    await hers.page.getByLabel("Your email address there").fill(robin.email);
    await hers.page.keyboard.press("Enter");
    return hers.page;
  };
  await acceptTerms(await come(["lab"]));
  await group.getByText("1 user").waitFor();
  await (await come([])).waitForURL("**/launchpad");
  await group.getByText("0 users").waitFor();
  expect(errors).toEqual([]);
});
