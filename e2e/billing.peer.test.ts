import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findingsInBothModes, launchBrowser, openPage, signIn } from "./support/browser.ts";
import { eventually, startDevice, untilState } from "./support/instances.ts";
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

const addCard = async (page: Page, number: string) => {
  await page.getByRole("button", { name: "Add card" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a card" });
  await dialog.getByLabel("Card number").fill(number);
  await dialog.getByRole("button", { name: "Add card" }).click();
  await dialog.waitFor({ state: "hidden" });
};

it("a manager pays by use, does not pay, pays after all, and pays for a year in advance, which ends", async () => {
  let page!: Page;
  const errors: string[][] = [];
  /** Signs in anew: nobody's session lasts as long as the clock is moved here. */
  const openBilling = async () => {
    await page?.context().close();
    const opened = await openPage(browser, server.url);
    page = opened.page;
    errors.push(opened.errors);
    await signIn(page, demo.manager);
    await page.goto("/administration/billing");
  };
  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
  const press = (name: string | RegExp) => page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
  const says = (text: string | RegExp) => page.getByText(text).first().waitFor();
  await openBilling();

  // Whom to bill, and what to charge
  await button("Start pay-as-you-go").click();
  await press("Start pay-as-you-go");
  await says("Add a billing address first.");
  await page.getByRole("link", { name: "Add an address" }).click();
  await page.getByLabel("Street and number").fill("1 Moss Lane");
  await page.getByLabel("Postcode").fill("97201");
  await page.getByLabel("City").fill("Portland");
  await page.getByRole("combobox", { name: "Country" }).click();
  await page.getByRole("option", { name: "United States", exact: true }).click();
  await page.getByRole("region", { name: "Billing information" }).getByRole("button", { name: "Save" }).click();
  await says("The billing information was saved.");
  await button("Start pay-as-you-go").click();
  await press("Start pay-as-you-go");
  await says("Add a payment method first.");
  await addCard(page, "4242 4242 4242 4242");
  await button("Start pay-as-you-go").click();
  await press("Start pay-as-you-go");
  await says("Pay-as-you-go has started");

  // A week of use, billed
  const later = async (move: string, words: string) => {
    await server.operate("clock", move);
    await openBilling();
    // Plans go on in the background.
    await eventually(words, async () => {
      await page.reload({ waitUntil: "networkidle" });
      return page.getByText(words).first().isVisible();
    });
  };
  const { client } = await server.signIn(demo.manager);
  // Nobody touches it for weeks.
  const { uuid } = await startDevice(client, { timeouts: { inactivity: 0, global: 0 } });
  await untilState(client, uuid, "ONLINE");
  await later("+8d", "Minutes used");
  await page.getByRole("link", { name: "Invoices" }).click();
  await page.getByRole("row", { name: /Paid/ }).first().waitFor();
  await page
    .getByRole("button", { name: /^Details of/ })
    .first()
    .click();
  await page.getByRole("heading", { name: /^Invoice/ }).waitFor();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download PDF" }).click();
  expect((await readFile(await (await download).path())).subarray(0, 5).toString()).toBe("%PDF-");

  // A week that the card does not pay, until nothing starts
  await page.goto("/administration/billing");
  await addCard(page, "4000 0000 0000 0341");
  await button("Make default: Visa •••• 0341").click();
  await says("Visa •••• 0341 is charged from now on.");
  await later("+8d", "An invoice is overdue.");
  await later("+7d", "Your plan is suspended");
  const refused = await server.signIn(demo.user);
  await expect(startDevice(refused.client)).rejects.toMatchObject({ status: 403 });

  // Paid by another card, and ended
  await button("Make default: Visa •••• 4242").click();
  await says("Visa •••• 4242 is charged from now on.");
  await page.getByRole("link", { name: "See invoices" }).first().click();
  const failed = page.getByRole("row", { name: /Failed/ });
  await failed.first().waitFor();
  for (let left = await failed.count(); left > 0; left--) {
    await failed
      .first()
      .getByRole("button", { name: /^Details of/ })
      .click();
    await button(/^Pay \$/).click();
    await says(/ is paid\.$/);
    await page.getByRole("link", { name: "Invoices", exact: true }).click();
    await page.getByRole("row", { name: /Paid/ }).first().waitFor();
    await expect.poll(() => failed.count()).toBe(left - 1);
  }
  await page.goto("/administration/billing");
  await page.getByText("Active", { exact: true }).waitFor();
  await button("Cancel plan").click();
  await press("Cancel pay-as-you-go");
  await says("Pay-as-you-go is cancelled");

  // A year of two devices, which the bank wants confirmed; kept, and let go
  await addCard(page, "4000 0027 6000 3184");
  await button("Make default: Visa •••• 3184").click();
  await button("Choose Unlimited").click();
  await button("One device more").click();
  await press(/^Pay \$4,103\.52 and start$/);
  await press("Refuse");
  await says("The payment was not confirmed.");
  await page.keyboard.press("Escape");
  await button("Choose Unlimited").click();
  await button("One device more").click();
  await press(/^Pay/);
  await press("Confirm payment");
  await says("Unlimited has started");
  await page.getByText("2 devices at once", { exact: true }).waitFor();
  await button("Cancel plan").click();
  await press("Cancel Unlimited");
  await says(/^Unlimited ends on/);
  await button("Restore plan").click();
  await press("Restore Unlimited");
  await says(/^Unlimited renews on/);
  await button("Cancel plan").click();
  await press("Cancel Unlimited");
  await says(/^Unlimited ends on/);
  await later("+367d", "No plan");
  expect(await findingsInBothModes(page)).toEqual([]);
  expect(errors.flat()).toEqual([]);
});
