import { createClient } from "@terrarium/sdk";
import { randomUUID } from "node:crypto";
import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { type RouteRules, routeRules } from "../apps/web/src/session/routes.ts";
import { findingsInBothModes, livePicture, openPage, pictureOf, signIn, tap } from "./support/browser.ts";
import { eventually, startDevice, untilState } from "./support/instances.ts";
import { keyboardFindings, popupFindings } from "./support/keyboard.ts";
import { signInAsOperator } from "./support/operator.ts";
import { demo, type TestServer } from "./support/server.ts";
import { serverAndBrowser } from "./support/serving.ts";
import { touchFindings } from "./support/touch.ts";

/** What is there for the addresses that name something: the others find that it is missing, or have a test of their own. */
async function somethingAt(server: TestServer): Promise<Record<string, string>> {
  const { client } = await server.signIn(demo.manager);
  const [webhook, recipes, users] = await Promise.all([
    client.webhooks.create({ body: { url: "https://hooks.fern.example/", events: ["instance.created"] } }),
    client.recipes.list({ query: { page_size: 1 } }),
    client.users.list({ query: { page_size: 1 } }),
    client.invitations.invite({ body: { emails: ["kim@fern.example"] } }),
  ]);
  const { mailbox } = createClient({ baseUrl: server.url });
  const mail = await eventually(
    "the mail with the invitation",
    async () => (await mailbox.list({ headers: {} })).mails[0],
  );
  const { text } = await mailbox.get({ params: { uuid: mail.uuid }, headers: {} });
  const organization = users.results[0]?.organization?.uuid ?? "";
  return {
    "/update/:id": "25-07_1",
    "/docs/:name": "errors",
    "/join/:token": /\/join\/([\w-]+)/.exec(text)?.[1] ?? "",
    "/mailbox/:uuid": mail.uuid,
    "/start/:uuid": recipes.results[0]?.uuid ?? "",
    "/administration/webhooks/:uuid": webhook.uuid,
    "/operator/organizations/:uuid": organization,
    "/operator/organizations/:uuid/billing": organization,
  };
}

/** Goes to an address as a link does, without loading the app anew. */
async function follow(page: Page, address: string): Promise<void> {
  if (new URL(page.url()).pathname === address) return;
  await page.evaluate((to) => {
    document.querySelector("h1")?.setAttribute("data-left", "");
    history.pushState(null, "", to);
    dispatchEvent(new PopStateEvent("popstate"));
  }, address);
  await page.locator("h1:not([data-left])").waitFor();
}

describe("the product", () => {
  const started = serverAndBrowser();
  const all = Object.values<RouteRules>(routeRules).filter(({ isDisabled }) => !isDisabled);

  it.each([
    ["strangers", ({ isPublic }: RouteRules) => isPublic === true, async () => undefined],
    [
      "members",
      ({ isPublic, operatorOnly }: RouteRules) => isPublic !== true && operatorOnly !== true,
      (page: Page) => signIn(page, demo.manager),
    ],
    [
      "operators",
      ({ operatorOnly }: RouteRules) => operatorOnly === true,
      (page: Page) => signInAsOperator(page, started.server),
    ],
  ] as const)(
    "can be read, and used by keys and fingers, on pages of %s",
    { timeout: 300_000 },
    async (_, isOf, enter) => {
      const { page, close } = await openPage(started.browser, started.server.url);
      const pages = all.filter(isOf);
      const there = await somethingAt(started.server);
      await enter(page);
      await page.goto("/oops");
      const [tried, frames] = [new Set<string>(), new Set<string>()];
      const findings: Record<string, string[]> = {};
      for (const { path } of pages) {
        const address = path.replaceAll(/:\w+/g, () => there[path] ?? randomUUID());
        // From a page that has nothing in common with it.
        await follow(page, "/oops");
        await follow(page, address);
        const here = new URL(page.url()).pathname;
        findings[path] = [
          ...(here.startsWith(address) ? [] : [`leads to ${here}`]),
          ...(await findingsInBothModes(page)),
          ...(await keyboardFindings(page, frames)),
          ...(await popupFindings(page, tried)),
          ...(await touchFindings(page)),
        ];
      }
      expect(findings).toEqual(Object.fromEntries(pages.map(({ path }) => [path, []])));
      console.info(
        `${pages.length} pages with axe in light and dark and with the keyboard; opened ${[...tried].join(", ")}`,
      );
      await close();
    },
  );

  it("can be used with the keyboard alone", async () => {
    const { page, close } = await openPage(started.browser, started.server.url);
    await page.goto("/signin");
    await page.getByLabel("Email").focus();
    await page.keyboard.type(demo.user.email);
    await page.keyboard.press("Tab");
    await page.keyboard.type(demo.user.password);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/launchpad");

    const focused = () =>
      page.evaluate(() =>
        document.activeElement instanceof HTMLButtonElement ? document.activeElement.innerText : "",
      );
    await page.getByRole("button", { name: "Start device" }).first().waitFor();
    for (let step = 0; step < 20 && !(await focused()).includes("Start device"); step++)
      await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page
      .getByRole("dialog")
      .getByText(/\d+ recipes$/)
      .waitFor();
    await page.keyboard.type("Watch 1.4");
    await page
      .getByRole("dialog")
      .getByText(/^2 recipes$/)
      .waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    const row = page.getByRole("row", { name: /^Select watch/ });
    await row.getByText("Online").waitFor();
    await row.focus();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/instance/*");
    await livePicture(page);
    await close();
  });

  it("can be used on a phone", async () => {
    const { page, close } = await openPage(started.browser, started.server.url, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await signIn(page, demo.manager);
    await page.getByRole("button", { name: "Start device" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/\d+ recipes$/).waitFor();
    await dialog.getByRole("button", { name: "Start device" }).last().click();
    await page.getByRole("listitem").getByText("Online").first().waitFor();
    await page
      .getByRole("listitem")
      .getByRole("link")
      .or(page.getByRole("listitem").getByRole("button", { name: /^(Display|Open)/ }))
      .first()
      .waitFor();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(390);
    const { client } = await started.server.signIn(demo.manager);
    const [device] = (await client.instances.list({ query: {} })).results;
    await page.goto(`/instance/${device?.uuid}`);
    await livePicture(page);
    const before = await pictureOf(page);
    await tap(page, 0.15, 0.845);
    await eventually("the picture changes", async () => (await pictureOf(page)) !== before);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await close();
  });

  it("can be read by everybody where something is shown, opened or made", async () => {
    const { page, close } = await openPage(started.browser, started.server.url);
    const findings: Record<string, string[]> = {};
    await signIn(page, demo.user);
    const { client } = await started.server.signIn(demo.user);
    const { uuid } = await startDevice(client, { name: "axe" });
    await untilState(client, uuid, "ONLINE");
    await page.reload();
    await page.getByRole("row", { name: /Select axe/ }).waitFor();
    findings.launchpad = await findingsInBothModes(page);
    await page.getByRole("button", { name: "Start device" }).first().click();
    await page
      .getByRole("dialog")
      .getByText(/\d+ recipes$/)
      .waitFor();
    findings.start = await findingsInBothModes(page);
    await page.goto("/api");
    await page.getByRole("button", { name: "Create token" }).click();
    await page.getByRole("textbox", { name: "Description", exact: true }).fill("ci");
    await page.keyboard.press("Enter");
    const secret = await page.getByLabel("Token “ci”").inputValue();
    findings.secret = await findingsInBothModes(page);
    await page.getByRole("button", { name: "Done" }).click();
    const byToken = createClient({ baseUrl: started.server.url, apiToken: secret });
    expect((await byToken.instances.list({ query: {} })).results.map(({ name }) => name)).toContain("axe");
    findings.api = await findingsInBothModes(page);
    await page.goto(`/instance/${uuid}`);
    await livePicture(page);
    findings.display = await findingsInBothModes(page);
    // What is on the device's screen too, as a browser tells it to a screen reader.
    await page.getByRole("button", { name: "Turn on screen reader support" }).press("Enter");
    const shown = page.getByRole("region", { name: "What is on the screen of axe" });
    await shown.getByRole("button", { name: "Settings", exact: true }).waitFor();
    findings.reader = await findingsInBothModes(page);
    const tree = await page.context().newCDPSession(page);
    const { root } = await tree.send("DOM.getDocument");
    const named = { nodeId: root.nodeId, role: "button", accessibleName: "Settings" };
    expect((await tree.send("Accessibility.queryAXTree", named)).nodes).toHaveLength(1);
    await shown.getByRole("button", { name: "Settings", exact: true }).press("Enter");
    await shown.getByRole("button", { name: /^Display/ }).waitFor();
    expect(findings).toEqual({ launchpad: [], start: [], secret: [], api: [], display: [], reader: [] });
    await close();
  });
});
