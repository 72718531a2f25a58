import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { invoiceState } from "@terrarium/contract";
import { createClient } from "@terrarium/sdk";
import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { listenSmtp, SMTP_PASSWORD } from "../apps/server/src/platform/mail/testing/smtp-server.ts";
import { premiumForm } from "../apps/server/src/testing/plan-requests.ts";
import { findingsInBothModes, launchBrowser, openPage, seriousFindings } from "./support/browser.ts";
import { eventually } from "./support/instances.ts";
import { addManager, signInAsOperator } from "./support/operator.ts";
import { preparedServer } from "./support/prepared-server.ts";
import { demo, type TestServer } from "./support/server.ts";

const METRICS_PORT = "0";
let server: TestServer;
let browser: Browser;
let smtp: Awaited<ReturnType<typeof listenSmtp>>;
/** What comes to an OpenTelemetry collector. */
let traced = "";
const collector = createServer((request, response) => {
  request.on("data", (chunk) => (traced += String(chunk)));
  request.on("end", () => response.end("{}"));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  smtp = await listenSmtp();
  const SMTP_URL = `smtp://terrarium:${SMTP_PASSWORD}@127.0.0.1:${smtp.port}`;
  const environment = { METRICS_PORT, OTEL_EXPORTER_OTLP_ENDPOINT, SMTP_URL, LOG_LEVEL: "info" };
  [server, browser] = await Promise.all([preparedServer(environment), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  collector.close();
  collector.closeAllConnections();
  await server?.stop();
  await smtp?.stop();
});

it("an operator looks after the service, and is kept apart from customers", async () => {
  const { page, errors } = await openPage(browser, server.url);
  await signInAsOperator(page, server);

  // The overview, with the processes of this very server
  await page.getByText("Nothing needs attention.").waitFor();
  expect(await findingsInBothModes(page)).toEqual([]);
  const navigation = page.getByRole("navigation", { name: "Main" });
  expect(await navigation.getByRole("link", { name: "Recipes" }).count()).toBe(0);
  await navigation.getByRole("link", { name: "Gateways and hosts" }).click();
  await page.getByText("gateway", { exact: true }).waitFor();
  await page.getByText("api, realtime, jobs").waitFor();
  expect(await findingsInBothModes(page)).toEqual([]);
  await page.getByRole("button", { name: "Drain" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Drain" }).click();
  await page.getByText("Draining", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Take devices again" }).click();
  await page.getByRole("button", { name: "Drain" }).waitFor();

  // An organization: its limit, and its people
  await navigation.getByRole("link", { name: "Organizations" }).click();
  await page.getByLabel("Name, ID, or an email address").fill(demo.user.email);
  // What is typed comes into the address a moment later.
  await page.waitForURL(/demo\.test/);
  await page.getByRole("button", { name: "Open Northwind Mobile" }).click();
  await page.getByRole("row", { name: /user@demo\.test/ }).waitFor();
  expect(await findingsInBothModes(page)).toEqual([]);
  await page.getByRole("button", { name: "Change", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Change Northwind Mobile" });
  await dialog.getByLabel("Devices at once").fill("3");
  await dialog.getByText("Devices at once: 10 → 3").waitFor();
  await dialog.getByLabel("Reason").fill("trial is over");
  expect(await seriousFindings(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await page.getByText("0 of 3").waitFor();
  await page.reload();
  await page.getByText("0 of 3").waitFor();

  // Somebody is shut out, and let in
  await page.getByRole("button", { name: /^Deny Tomasz/ }).click();
  await page.getByLabel("Reason").fill("asked by their manager");
  await page.getByRole("button", { name: "Deny access" }).click();
  await page.getByText("is denied access").waitFor();
  await expect(server.signIn(demo.user)).rejects.toThrow("This account is not enabled.");
  await page.getByRole("button", { name: /^Let Tomasz/ }).click();
  await page.getByLabel("Reason").fill("asked by their manager");
  await page.getByRole("button", { name: "Let in" }).click();
  await page.getByText("may sign in").waitFor();
  const { client } = await server.signIn(demo.manager);
  const log = await client.audit.list({ query: { action: ["organization.set_limit", "user.disable"] } });
  expect(log.results.map(({ actor, details }) => [actor.kind, details.reason])).toEqual([
    ["operator", "asked by their manager"],
    ["operator", "trial is over"],
  ]);

  // Jobs, of which one has failed for good: its mail has no such recipient
  await client.invitations.invite({ body: { emails: ["nobody@pot.example"] } });
  await navigation.getByRole("link", { name: "Jobs" }).click();
  await page.getByRole("button", { name: "Retry all failed" }).waitFor();
  await page.getByRole("row", { name: /Done/ }).first().waitFor();
  expect(await findingsInBothModes(page)).toEqual([]);
  const failed = page.getByRole("row", { name: /send-mail.*Failed.*No such mailbox/ });
  await failed.getByRole("button", { name: "Discard send-mail" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Discard job" }).click();
  await page.getByRole("row", { name: /send-mail.*Discarded/ }).waitFor();

  // The catalogue, and the own profile
  await navigation.getByRole("link", { name: "Catalogue" }).click();
  await page.getByRole("row", { name: /Ready/ }).first().waitFor();
  expect(await findingsInBothModes(page)).toEqual([]);
  await page.goto("/profile");
  await page.getByText("Operators always need a second factor.").waitFor();
  await page.goto("/recipes");
  await page.waitForURL("**/operator");
  expect(errors).toEqual([]);

  // What customers get of it
  await expect(client.operator.overview()).rejects.toMatchObject({ code: "ROUTE_NOT_FOUND", status: 404 });
});

/** An organization that pays for a month of a device, and did not pay for the next. A token outlives its sessions. */
async function aDebtor(organization: string) {
  const { client } = await server.signIn(await addManager(server, organization));
  const address = { street: "1 Larch Lane", postcode: "97201", city: "Portland", country: "US" } as const;
  await client.billingAddresses.add({ body: address });
  await client.cards.add({ body: { token: "pm_card_visa" } });
  await client.subscriptions.create({ body: { plan: "monthly" } });
  await client.cards.add({ body: { token: "pm_card_chargeCustomerFail", is_default: true } });
  const { results } = await client.users.list({ query: { page_size: 1 } });
  const { token } = await client.apiTokens.create({ body: { description: "debtor", scope: "admin" } });
  const lasting = createClient({ baseUrl: server.url, apiToken: token });
  await server.operate("clock", "+32d");
  await eventually("an invoice that is not paid", async () => {
    const { results } = await lasting.invoices.list({ query: {} });
    return results.some((invoice) => invoiceState(invoice) === "FAILED");
  });
  return { client: lasting, uuid: results[0]?.organization?.uuid ?? "" };
}

it("an operator decides what an organization may have, what it pays, and what it gets back", async () => {
  const { client, uuid } = await aDebtor("Larch");
  await client.trials.requestPremium({ params: { uuid }, body: premiumForm });
  const { page, errors } = await openPage(browser, server.url);
  await signInAsOperator(page, server, "olga@terrarium.example");
  const dialog = page.getByRole("dialog");
  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
  const fact = (what: string, is: string | RegExp) =>
    page
      .locator("dt", { hasText: new RegExp(`^${what}$`) })
      .locator("+ dd", { hasText: is })
      .waitFor();
  /** Fills in the dialog that is open, and why it is done. */
  const settle = async (act: string, fields: Record<string, string> = {}) => {
    for (const [name, value] of Object.entries(fields)) await dialog.getByLabel(name).fill(value);
    await dialog.getByLabel("Reason").fill("as agreed");
    await dialog.getByRole("button", { name: act, exact: true }).click();
    await dialog.waitFor({ state: "hidden" });
  };

  // A request for a plan
  await page.goto("/operator/requests");
  await button("Read the request of Larch").click();
  await dialog.getByText(premiumForm.business_describe).waitFor();
  await dialog.getByRole("button", { name: "Reject" }).click();
  await settle("Reject");
  await page.getByRole("row", { name: /Larch.*Rejected/ }).waitFor();

  // Its devices are blocked, and may start again; while its plan renews, there is no last day
  await page.goto(`/operator/organizations/${uuid}`);
  await button("Change").click();
  await dialog.getByRole("checkbox", { name: "Devices may start" }).uncheck();
  await settle("Change license and limits");
  await fact("Devices may start", "No");
  const [recipe] = (await client.recipes.list({ query: { page_size: 1 } })).results;
  const start = () => client.recipes.start({ params: { uuid: recipe?.uuid ?? "" }, body: { instance_name: "larch" } });
  await expect(start()).rejects.toMatchObject({ status: 403 });
  await button("Change").click();
  await dialog.getByRole("checkbox", { name: "Devices may start" }).check();
  await dialog.getByLabel("Reason").fill("as agreed");
  await dialog.getByLabel("Ends").fill("2099-12-31");
  await page.keyboard.press("Enter");
  await dialog.getByText(/^Its plan is paid in advance and renews/).waitFor();
  await dialog.getByLabel("Ends").fill("");
  await settle("Change license and limits");
  await fact("Devices may start", "Yes");

  // What it pays, and what it need not
  await page.getByRole("link", { name: "Billing", exact: true }).click();
  await page.getByRole("row", { name: /Failed/ }).waitFor();
  await button("Give free minutes").click();
  await settle("Give free minutes", { Minutes: "4321" });
  // The 60 that every organization begins with are among them.
  await fact("Free minutes left", "4,381");
  await button("Change tax").click();
  await settle("Change tax", { Percent: "0" });
  await fact("Tax", "Exempt, as agreed");
  await button("Change price").click();
  await settle("Change price", { "Price in USD": "12.50" });
  await fact("Price", "$12.50 a month, 1 device");

  // An invoice that was paid by transfer, and one of which a part is paid back, once
  await button(/^Mark .* as paid$/).click();
  await settle("Mark as paid");
  await page.getByRole("row", { name: /Failed/ }).waitFor({ state: "detached" });
  await button(/^Pay .* back$/)
    .last()
    .click();
  expect(await seriousFindings(page)).toEqual([]);
  await settle("Pay back", { "Amount in USD": "1" });
  await page.getByRole("combobox", { name: "What" }).click();
  await page.getByRole("option", { name: "Credit notes" }).click();
  await page.getByRole("row", { name: /-\$1\.00/ }).waitFor();
  await button("Cancel plan").click();
  await settle("Cancel plan");
  await fact("State", "Active, ends with its period");

  // What everybody pays, the clock, and what is due by it
  await page.goto("/operator/billing");
  await button("Change prices").click();
  await dialog.getByLabel("A device for a month").fill("99");
  await dialog.getByRole("checkbox", { name: "Also for plans that run" }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await settle("Change prices", { "Free minutes of a new organization": "321" });
  await fact("A device for a month", /^\$99\.00, in place of /);
  await button("Move forward").click();
  await dialog.getByRole("combobox", { name: "Unit" }).click();
  await page.getByRole("option", { name: "Hours" }).click();
  await settle("Move clock", { "How far": "1" });
  await fact("Moved forward by", "32 d 1 h");
  await button("Bill now").click();
  await dialog.getByRole("button", { name: "Bill now" }).click();
  await page.getByText(/^\d+ invoices? (was|were) issued$/).waitFor();

  // All of it is in the log that the managers read
  const { results } = await client.audit.list({ query: { page_size: 50 } });
  expect(
    results
      .filter(({ actor }) => actor.kind === "operator")
      .map(({ action }) => action)
      .slice(0, 9),
  ).toEqual([
    "subscription.cancel",
    "invoice.refund",
    "invoice.mark_paid",
    "subscription.set_price",
    "organization.set_tax",
    "organization.grant_minutes",
    "organization.set_license",
    "organization.set_license",
    "premium.reject",
  ]);
  expect(errors).toEqual([]);
});

it("its numbers are served on a port of their own, without what customers do", async () => {
  const port =
    /"port":(\d+),"host":"127\.0\.0\.1","msg":"metrics are served"|"host":"127\.0\.0\.1".*?"port":(\d+).*?metrics are served/.exec(
      server.output,
    );
  const text = await (await fetch(`http://127.0.0.1:${port?.[1] ?? port?.[2]}/metrics`)).text();
  expect(text).toMatch(/^terrarium_(event_loop_delay_seconds|http_requests_total)\{/m);
  expect(text).not.toContain(demo.user.email);
  expect((await fetch(`${server.url}/metrics`)).headers.get("content-type")).toContain("text/html");
});

it("its requests and their queries are traced, without what customers do", async () => {
  await vi.waitFor(() => {
    expect(traced).toContain('"name":"GET /cloud/v1/operator/organizations/:uuid"');
    expect(traced).toMatch(/"db\.query\.text","value":\{"stringValue":"select [^"]+ from [^"]+"organizations/i);
  });
  expect(traced).not.toContain(demo.user.email);
});
