import type { PublicSettings } from "@terrarium/contract";
import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser, openPage, signIn } from "./support/browser.ts";
import { eventually } from "./support/instances.ts";
import { preparedServer } from "./support/prepared-server.ts";
import { demo, type TestServer } from "./support/server.ts";

let server: TestServer;
let browser: Browser;

const pages = [
  ["/", "Android devices, live under glass"],
  ["/signin?redirect=/profile", "Sign in"],
  ["/signup-confirm", "Confirming your address"],
  ["/password-reset", "Forgot your password"],
  ["/legal/terms-and-conditions/", "Terms and conditions"],
  ["/legal/privacy-policy", "Privacy notice"],
  ["/update/25-07_1", "A shelf of live devices"],
  ["/docs", "Getting started"],
  ["/docs/changes", "API changes"],
  ["/status", "Looking how the service is"],
] as const;

beforeAll(async () => {
  [server, browser] = await Promise.all([preparedServer({ OPERATOR_NAME: "Fern & Glass <SAS>" }), launchBrowser()]);
  await eventually("the last page is made", async () =>
    (await (await fetch(`${server.url}/update/24-05_1`)).text()).includes("<h1"),
  );
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

it.each(pages)("%s has its content before any script of the app has run", async (path, heading) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(server.url + path);
  await page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();
  await context.close();
});

it("leaves every path of directories to them, who get errors in their own words", async () => {
  const reply = await fetch(`${server.url}/cloud/scim/v2/Nothing`);
  expect([reply.status, reply.headers.get("content-type")]).toEqual([401, "application/scim+json; charset=utf-8"]);
});

it("names the operator, as text", async () => {
  const html = await (await fetch(`${server.url}/legal/terms-and-conditions`)).text();
  expect(html).toContain("Fern &amp; Glass &lt;SAS&gt;");
  expect(html).not.toContain("<SAS>");
});

// With an address to confirm, and where the service is looked at, the heading says what came of it.
const steady = pages.filter(([path]) => !["/signup-confirm", "/status"].includes(path));

it.each(steady)("%s is taken over as it is, and nothing moves", async (path, heading) => {
  const { page, errors } = await openPage(browser, server.url);
  await page.addInitScript(() => {
    const seen = { heading: null as Element | null, shift: 0, restyled: 0 };
    Object.assign(globalThis, { seen });
    const insert = CSSStyleSheet.prototype.insertRule;
    CSSStyleSheet.prototype.insertRule = function (rule, index) {
      if (rule.startsWith(":root")) seen.restyled++;
      return insert.call(this, rule, index);
    };
    // As MUI does after a change of the mode.
    new MutationObserver((changes) => {
      const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
      seen.restyled += added.filter(
        (node) => node.nodeName === "STYLE" && /transition:\s?none/.test(node.textContent ?? ""),
      ).length;
    }).observe(document, { subtree: true, childList: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += (entry as unknown as { value: number }).value;
    }).observe({ type: "layout-shift", buffered: true });
    document.addEventListener("DOMContentLoaded", () => (seen.heading = document.querySelector("h1")));
  });
  await page.goto(path);
  // The style of the page is the app's own from here on.
  await page.waitForFunction(() => Object.keys(document.querySelector("#root") ?? {}).length > 0);
  await page.waitForLoadState("networkidle");
  await page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();
  const { isSame, shift, restyled } = await page.evaluate(() => {
    const { seen } = globalThis as unknown as {
      seen: { heading: Element | null; shift: number; restyled: number };
    };
    return { shift: seen.shift, restyled: seen.restyled, isSame: seen.heading === document.querySelector("h1") };
  });
  // A rule for the whole page that is put in now has all of it styled once more.
  expect({ isSame, restyled, errors }).toEqual({ isSame: true, restyled: 0, errors: [] });
  expect(shift).toBeLessThan(0.1);
});

it("shows what is sought in the documentation, on a page that was made before anybody sought it", async () => {
  const { page, errors } = await openPage(browser, server.url);
  await page.goto("/docs?search=okta");
  await page.getByRole("heading", { level: 1, name: /sections? found/ }).waitFor();
  await expect(page.getByLabel("Search the documentation").inputValue()).resolves.toBe("okta");
  expect(errors).toEqual([]);
});

it("shows somebody who is signed in nothing of the pages that they do not stay at", async () => {
  const { page, errors } = await openPage(browser, server.url);
  await signIn(page, demo.user);
  await page.addInitScript(() => {
    document.addEventListener("DOMContentLoaded", () => {
      const heading = document.querySelector("h1");
      Object.assign(globalThis, { wasSeen: heading !== null && getComputedStyle(heading).visibility === "visible" });
    });
  });
  await page.goto("/");
  await page.waitForURL("**/launchpad");
  expect(await page.evaluate(() => (globalThis as unknown as { wasSeen: boolean }).wasSeen)).toBe(false);
  await page.getByRole("main").waitFor();
  expect(errors).toEqual([]);
});

it.each([
  ["/?redirect=/start/r1%3Fx=y", "Sign in", "/signin?redirect=%2Fstart%2Fr1%3Fx%3Dy"],
  ["/signin?redirect=/profile", "Forgot your password?", "/password-reset?redirect=%2Fprofile"],
  ["/signin?redirect=//evil.example", "Forgot your password?", "/password-reset"],
  ["/password-reset", "Back to sign in", "/signin"],
])("%s keeps in its links where one was going, before its code has come and after", async (path, name, href) => {
  const { page, errors } = await openPage(browser, server.url);
  const gate = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.goto(path, { waitUntil: "commit" });
  const link = page.getByRole("link", { name, exact: true }).first();
  expect(await link.getAttribute("href")).toBe(href);
  gate.resolve();
  await page.waitForFunction(() => Object.keys(document.querySelector("#root") ?? {}).length > 0);
  await page.waitForLoadState("networkidle");
  expect(await link.getAttribute("href")).toBe(href);
  expect(errors).toEqual([]);
});

/** The sign-in page, whose code waits until it is let through. */
async function openBeforeCode() {
  const opened = await openPage(browser, server.url);
  const gate = Promise.withResolvers<void>();
  await opened.page.route("**/assets/*.js", async (route) => {
    await gate.promise;
    await route.continue();
  });
  await opened.page.goto("/signin?redirect=/profile", { waitUntil: "commit" });
  const email = opened.page.getByLabel("Email");
  const password = opened.page.getByLabel("Password", { exact: true });
  await email.fill(demo.user.email);
  await password.fill(demo.user.password);
  return { ...opened, email, password, letThrough: gate.resolve };
}

it("never writes a password into the address, however early a form is sent", async () => {
  const { page, password, letThrough } = await openBeforeCode();
  await password.press("Enter");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  expect(new URL(page.url()).search).toBe("?redirect=/profile");
  await expect(password.inputValue()).resolves.toBe(demo.user.password);
  letThrough();
  const context = await browser.newContext({ javaScriptEnabled: false });
  const bare = await context.newPage();
  await bare.goto(`${server.url}/signin`);
  await bare.getByLabel("Password", { exact: true }).fill(demo.user.password);
  await bare.getByRole("button", { name: "Sign in", exact: true }).click();
  await bare.waitForLoadState();
  expect(bare.url()).not.toContain(demo.user.password);
  await context.close();
});

it("takes over what was typed before its code had come, and the focus with it", async () => {
  const { page, errors, email, password, letThrough } = await openBeforeCode();
  await email.evaluate((element) => Object.assign(globalThis, { first: element }));
  letThrough();
  await page.waitForFunction(() => Object.keys(document.querySelector("#root") ?? {}).length > 0);
  await page.waitForLoadState("networkidle");
  expect(await email.evaluate((element) => (globalThis as unknown as { first: Element }).first === element)).toBe(true);
  expect(await password.evaluate((element) => document.activeElement === element)).toBe(true);
  await password.press("Enter");
  await page.waitForURL(({ pathname }) => pathname === "/profile");
  expect(errors).toEqual([]);
});

it("hears the button that was pressed before its code had come, once", async () => {
  const { page, errors, letThrough } = await openBeforeCode();
  const signIns: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/v1/users/login")) signIns.push(request.method());
  });
  await page.getByRole("button", { name: "Show password" }).click();
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  letThrough();
  await page.waitForURL(({ pathname }) => pathname === "/profile");
  expect(signIns).toEqual(["POST"]);
  expect(errors).toEqual([]);
});

it("hears a button whose part of the page is taken over later than the rest", async () => {
  const { page } = await openPage(browser, server.url);
  const gate = Promise.withResolvers<void>();
  await page.route("**/assets/ProviderButtons*.js", async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.goto("/signin");
  await page.waitForFunction(() => Object.keys(document.querySelector("#root form") ?? {}).length > 0);
  await page.getByRole("button", { name: "Continue with Google" }).click();
  gate.resolve();
  await page.getByRole("heading", { name: "Stand-in for Google" }).waitFor();
});

it("has the button for passkeys from the beginning where they work, and takes the page over", async () => {
  const { page, errors, email, letThrough } = await openBeforeCode();
  const button = page.getByRole("button", { name: "Sign in with a passkey" });
  await button.waitFor();
  await email.evaluate((element) => Object.assign(globalThis, { first: element }));
  letThrough();
  await page.waitForLoadState("networkidle");
  expect(await email.evaluate((element) => (globalThis as unknown as { first: Element }).first === element)).toBe(true);
  await button.waitFor();
  expect(errors).toEqual([]);
});

it("shows soon what has changed since the pages were made", async () => {
  const { page, errors } = await openPage(browser, server.url);
  await page.route("**/cloud/v1/settings", async (route) => {
    const reply = await route.fetch();
    const settings = (await reply.json()) as PublicSettings;
    const okta = { name: "okta", label: "Okta", is_stand_in: false };
    await route.fulfill({ response: reply, json: { ...settings, sso_providers: [...settings.sso_providers, okta] } });
  });
  await page.goto("/signin");
  await page.getByRole("button", { name: "Continue with Google" }).waitFor();
  await page.getByRole("button", { name: "Continue with Okta" }).waitFor();
  expect(errors).toEqual([]);
});
