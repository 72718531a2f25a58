import { createClient } from "@terrarium/sdk";
import { randomUUID } from "node:crypto";
import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { type RouteRules, routeRules } from "../apps/web/src/session/routes.ts";
import { findingsInBothModes, openPage, signIn } from "./support/browser.ts";
import { eventually } from "./support/instances.ts";
import { keyboardFindings, popupFindings } from "./support/keyboard.ts";
import { signInAsOperator } from "./support/operator.ts";
import { demo, type TestServer } from "./support/server.ts";
import { serverAndBrowser } from "./support/serving.ts";

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

describe("every page can be read by everybody, and used with the keyboard", () => {
  const started = serverAndBrowser();
  const all = Object.values<RouteRules>(routeRules).filter(({ isDisabled }) => !isDisabled);

  it.each([
    ["of strangers", ({ isPublic }: RouteRules) => isPublic === true, async () => undefined],
    [
      "of members",
      ({ isPublic, operatorOnly }: RouteRules) => isPublic !== true && operatorOnly !== true,
      (page: Page) => signIn(page, demo.manager),
    ],
    [
      "of operators",
      ({ operatorOnly }: RouteRules) => operatorOnly === true,
      (page: Page) => signInAsOperator(page, started.server),
    ],
  ] as const)("%s", { timeout: 300_000 }, async (_, isOf, enter) => {
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
      ];
    }
    expect(findings).toEqual(Object.fromEntries(pages.map(({ path }) => [path, []])));
    console.info(
      `${pages.length} pages with axe in light and dark and with the keyboard; opened ${[...tried].join(", ")}`,
    );
    await close();
  });
});
