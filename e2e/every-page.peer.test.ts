import { randomUUID } from "node:crypto";
import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { type RouteRules, routeRules } from "../apps/web/src/session/routes.ts";
import { findingsInBothModes, openPage, signIn } from "./support/browser.ts";
import { keyboardFindings, popupFindings } from "./support/keyboard.ts";
import { signInAsOperator } from "./support/operator.ts";
import { demo } from "./support/server.ts";
import { serverAndBrowser } from "./support/serving.ts";

/** What addresses name that is there. */
const some: Record<string, string> = { ":id": "25-07_1", ":name": "errors" };

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
    await enter(page);
    const tried = new Set<string>();
    const findings: Record<string, string[]> = {};
    for (const { path } of pages) {
      const address = path.replaceAll(/:\w+/g, (name) => some[name] ?? randomUUID());
      await page.goto(address);
      await page.getByRole("heading", { level: 1 }).waitFor();
      const here = new URL(page.url()).pathname;
      findings[path] = [
        ...(here.startsWith(address) ? [] : [`leads to ${here}`]),
        ...(await findingsInBothModes(page)),
        ...(await keyboardFindings(page)),
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
