import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { findingsInBothModes, launchBrowser, openPage, seriousFindings } from "./support/browser.ts";
import { signInAsOperator } from "./support/operator.ts";
import { preparedServer } from "./support/prepared-server.ts";
import { demo, type TestServer } from "./support/server.ts";

const METRICS_PORT = "0";
let server: TestServer;
let browser: Browser;
/** What comes to an OpenTelemetry collector. */
let traced = "";
const collector = createServer((request, response) => {
  request.on("data", (chunk) => (traced += String(chunk)));
  request.on("end", () => response.end("{}"));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const environment = { METRICS_PORT, OTEL_EXPORTER_OTLP_ENDPOINT, LOG_LEVEL: "info" };
  [server, browser] = await Promise.all([preparedServer(environment), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  collector.close();
  collector.closeAllConnections();
  await server?.stop();
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

  // Jobs, the catalogue, and the own profile
  await navigation.getByRole("link", { name: "Jobs" }).click();
  await page.getByRole("button", { name: "Retry all failed" }).waitFor();
  await page.getByRole("row", { name: /Done/ }).first().waitFor();
  expect(await findingsInBothModes(page)).toEqual([]);
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
