import { activeStates } from "@terrarium/contract";
import type { Client } from "@terrarium/sdk";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Browser } from "playwright";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser, openPage, seriousFindings, signIn } from "./support/browser.ts";
import { eventually, startDevice, untilState } from "./support/instances.ts";
import { preparedServer } from "./support/prepared-server.ts";
import { demo, type TestServer } from "./support/server.ts";

const run = promisify(execFile);

describe("the launchpad", () => {
  let server: TestServer;
  let browser: Browser;
  let client: Client;

  beforeAll(async () => {
    [server, browser] = await Promise.all([preparedServer(), launchBrowser()]);
    ({ client } = await server.signIn(demo.user));
  });
  afterEach(async () => {
    // The limit of one test is not to be that of the next.
    const { results } = await client.instances.list({ query: { state: [...activeStates], page_size: -1 } });
    for (const { uuid } of results) await client.instances.stop({ params: { uuid } });
    await eventually("nothing runs", async () => (await organizationOf(client)).running_instances === 0);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const names = async () => (await client.instances.list({ query: {} })).results.map(({ name }) => name).sort();

  it("starts several devices, also by the command that it gives, and says at the limit what runs", async () => {
    const { page, errors, close } = await openPage(browser, server.url);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await signIn(page, demo.user);
    const dialog = page.getByRole("dialog", { name: "Start a device" });
    const openDialog = async (name: string) => {
      await page.getByRole("button", { name: "Start device" }).first().click();
      await dialog.getByText(/of \d+ recipes/).waitFor();
      await dialog.getByLabel("Device name").fill(name);
    };
    await openDialog("smoke");
    await dialog.getByRole("combobox", { name: "How many" }).click();
    await page.getByRole("option", { name: "3", exact: true }).click();
    await dialog.getByRole("button", { name: "Start 3 devices" }).click();
    await dialog.getByText("3 of 3 started").waitFor();
    await dialog.getByRole("button", { name: "Done" }).click();
    await page
      .getByRole("row", { name: /smoke-3/ })
      .getByText("Online")
      .waitFor();

    await openDialog("it's one");
    await dialog.getByRole("button", { name: "Copy as" }).click();
    await page.getByRole("menuitem", { name: "curl" }).click();
    const { token } = await client.apiTokens.create({ body: { description: "curl" } });
    const command = await page.evaluate(() => navigator.clipboard.readText());
    await run("sh", ["-c", command.replace("YOUR_API_TOKEN", token)]);
    expect(await names()).toEqual(["it's one", "smoke-1", "smoke-2", "smoke-3"]);

    const { running_instances: running, license } = await organizationOf(client);
    const recipe = (await client.recipes.list({ query: { page_size: 1 } })).results[0]?.uuid ?? "";
    for (let count = running; count < license.instances.max; count++)
      await client.recipes.start({ params: { uuid: recipe }, body: { instance_name: `filler-${count}` } });
    await dialog.getByRole("button", { name: "Start device" }).click();
    const limit = page.getByRole("dialog", { name: "Device limit reached" });
    await limit.getByRole("list", { name: "Running devices" }).getByText("smoke-1").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await limit.getByRole("button", { name: "Stop smoke-1" }).click();
    await page.getByRole("dialog", { name: "Stop smoke-1?" }).getByRole("button", { name: "Stop device" }).click();
    await limit.getByText(/There is room/).waitFor();
    await limit.getByRole("button", { name: "Start device" }).click();
    await limit.waitFor({ state: "hidden" });
    await eventually("it has started after all", async () => (await names()).includes("it's one (2)"));
    expect(errors).toEqual([]);
    await close();
  });

  it("saves a device as a new recipe, from which the same starts again", async () => {
    const { page, errors, close } = await openPage(browser, server.url);
    await signIn(page, demo.user);
    const { uuid } = await startDevice(client, { name: "fern" });
    await untilState(client, uuid, "ONLINE");
    await page.goto(`/instance/${uuid}/save`);
    const dialog = page.getByRole("dialog", { name: "Save fern" });
    await dialog.getByLabel("Recipe name").fill("Smoke, saved");
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Save device" }).click();
    await page.getByText("Saving fern as Smoke, saved").waitFor();
    await page.getByText("fern is saved. Its recipe can be started.").waitFor();
    const saved = (await client.recipes.list({ query: { search: "Smoke, saved" } })).results[0];
    expect([saved?.status, saved?.os_image?.name]).toEqual(["READY", expect.stringMatching(/^Copy of /)]);
    // The page offers what the device was saved into.
    await page.getByRole("button", { name: "Start it again" }).click();
    await page.getByRole("dialog", { name: "Start a device" }).getByText("Smoke, saved").first().waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("remembers with the account which columns are shown", async () => {
    await startDevice(client, { name: "moss" });
    const first = await openPage(browser, server.url);
    await signIn(first.page, demo.user);
    await first.page.getByRole("button", { name: "Columns" }).click();
    await first.page.getByRole("checkbox", { name: "Owner" }).click();
    const isKept = first.page.waitForResponse((response) => response.request().method() === "PUT" && response.ok());
    await first.page.getByRole("button", { name: "Apply" }).click();
    await isKept;
    await first.close();

    const second = await openPage(browser, server.url);
    await signIn(second.page, demo.user);
    await second.page.getByRole("columnheader", { name: "Recipe" }).waitFor();
    await second.page.getByRole("columnheader", { name: "Owner" }).waitFor({ state: "detached" });
    await second.close();
  });
});

async function organizationOf(client: Client) {
  const { results } = await client.users.list({ query: { page_size: 1 } });
  return client.organizations.get({ params: { uuid: results[0]?.organization?.uuid ?? "" } });
}
