import { activeStates } from "@terrarium/contract";
import type { Client } from "@terrarium/sdk";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Browser, BrowserContextOptions, Page } from "playwright";
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
      await dialog.getByText(/\d+ recipes$/).waitFor();
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

  it("keeps two browsers and a phone of one person in step", { timeout: 600_000 }, async () => {
    const first = await openLaunchpad({ server, browser });
    const storageState = await first.page.context().storageState();
    const second = await openLaunchpad({ server, browser }, { storageState });
    const third = await openLaunchpad({ server, browser }, { storageState, viewport: { width: 390, height: 844 } });
    const all = [first, second, third];
    const everywhere = (look: (each: typeof first) => Promise<unknown>) => Promise.all(all.map(look));

    // One starts two devices: the others hear of them, and show each once.
    for (const name of ["fern", "moss"]) {
      await first.page.getByRole("button", { name: "Start device" }).first().click();
      const dialog = first.page.getByRole("dialog", { name: "Start a device" });
      await dialog.getByLabel("Device name").fill(name);
      await dialog.getByRole("button", { name: "Start device" }).click();
      await first.device(name).waitFor();
    }
    for (const { page } of [second, third]) await page.getByRole("button", { name: "New data: 2 devices" }).click();
    await everywhere(async ({ page, device }) => {
      await letGo(page);
      for (const name of ["fern", "moss"]) await device(name).getByText("Online").waitFor();
      await page.getByText("2 of 10 running").waitFor();
      await expect.poll(async () => [await device("fern").count(), await device("moss").count()]).toEqual([1, 1]);
    });

    // Saved in the second, it ends on all of them, and each is told that it was saved; that stands there for seconds only.
    const told = everywhere(({ page }) => page.getByText("fern is saved. Its recipe can be started.").waitFor());
    await second.page.getByRole("button", { name: "Save fern" }).click();
    const save = second.page.getByRole("dialog", { name: "Save fern" });
    await save.getByText("Save as a new recipe").click();
    await save.getByLabel("Recipe name").fill("Fern, saved");
    await save.getByRole("button", { name: "Save device" }).click();
    await told;
    await letGo(second.page);
    await everywhere(async ({ page, device }) => {
      await device("fern").waitFor({ state: "detached" });
      await page.getByText("1 of 10 running").waitFor();
    });

    // Stopped on the phone, the other is gone everywhere.
    await third.page.getByRole("button", { name: "More actions for moss" }).click();
    await third.page.getByRole("menuitem", { name: "Stop device" }).click();
    const stop = third.page.getByRole("dialog", { name: "Stop moss?" });
    await stop.getByRole("button", { name: "Stop device" }).click();
    await letGo(third.page);
    await everywhere(async ({ page, device }) => {
      await device("moss").waitFor({ state: "detached" });
      await page.getByText("0 of 10 running").waitFor();
    });

    const delays = (await Promise.all(all.map((each) => each.delays()))).flat();
    expect(delays).not.toEqual([]);
    reportDelays(delays);

    // A recipe that is renamed in one has its new name in the others.
    const recipe = (page: Page, name: string) => page.getByRole("listitem", { name, exact: true });
    await everywhere(async ({ page, isPhone }) => {
      if (isPhone) await page.getByRole("button", { name: "Open navigation" }).click();
      await page.getByRole("link", { name: "Recipes" }).click();
      await recipe(page, "Fern, saved").waitFor();
    });
    await first.page.getByRole("button", { name: "More actions for Fern, saved" }).click();
    await first.page.getByRole("menuitem", { name: "Edit" }).click();
    await first.page.getByRole("dialog").getByLabel("Name").fill("Fern, renamed");
    await first.page.getByRole("dialog").getByRole("button", { name: "Save recipe" }).click();
    await everywhere(async ({ page }) => {
      await recipe(page, "Fern, renamed").waitFor();
      await recipe(page, "Fern, saved").waitFor({ state: "detached" });
    });

    expect(await Promise.all(all.map(({ isSame }) => isSame()))).toEqual([1, 1, 1]);
    expect(all.flatMap(({ errors }) => errors)).toEqual([]);
    await everywhere(({ close }) => close());
  });
});

async function organizationOf(client: Client) {
  const { results } = await client.users.list({ query: { page_size: 1 } });
  return client.organizations.get({ params: { uuid: results[0]?.organization?.uuid ?? "" } });
}

/** A browser on the launchpad, signed in as another is. Whether its page was loaded again is told by a mark that would be gone. */
async function openLaunchpad(
  { server, browser }: { server: TestServer; browser: Browser },
  options: BrowserContextOptions = {},
) {
  const { page, errors, close } = await openPage(browser, server.url, options);
  if (options.storageState) await page.goto("/launchpad");
  else await signIn(page, demo.user);
  await page.getByRole("heading", { name: "Virtual devices" }).waitFor();
  await page.evaluate(() => document.body.setAttribute("data-loaded-once", ""));
  await page.evaluate(noteDelays);
  const isPhone = options.viewport !== undefined;
  const devices = page.getByRole("list", { name: "Devices" }).getByRole("listitem");
  return {
    page,
    errors,
    close,
    isPhone,
    /** Its row, or its card on a phone. */
    device: (name: string) =>
      isPhone ? devices.filter({ hasText: name }) : page.getByRole("row", { name: new RegExp(name) }),
    isSame: () => page.locator("body[data-loaded-once]").count(),
    delays: () => page.evaluate(() => (document.body.dataset.delays ?? "").split(",").filter(Boolean).map(Number)),
  };
}

/**
 * Runs in a page: notes for each change of a device that it shows how many ms passed from the time that the service wrote with it, which
 * is before the change is committed and sent, until its row says so. All run on one machine, with one clock.
 */
function noteDelays() {
  const note = ({ target }: MutationRecord) => {
    const { dateTime } = target as HTMLTimeElement;
    document.body.dataset.delays = `${document.body.dataset.delays ?? ""},${Date.now() - Date.parse(dateTime)}`;
  };
  new MutationObserver((changes) => changes.forEach(note)).observe(document.body, {
    subtree: true,
    attributeFilter: ["datetime"],
  });
}

/** The figures, for whoever reads the log: a busy machine is no defect. */
function reportDelays(delays: readonly number[]): void {
  const sorted = delays.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)];
  console.log(`In step: ${sorted.length} changes of rows, p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, slowest ${at(1)} ms`);
}

/** Nothing leaves a list that has the pointer or the focus. */
const letGo = (page: Page) => page.getByRole("heading", { name: "Virtual devices" }).click();
