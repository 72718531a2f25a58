import type { Client } from "@terrarium/sdk";
import { describe, expect, it } from "vitest";
import {
  blockWebRtc,
  livePicture,
  openPage,
  pictureOf,
  seriousFindings,
  signIn,
  steadyPicture,
  tap,
} from "./support/browser.ts";
import { startDevice } from "./support/instances.ts";
import { demo } from "./support/server.ts";
import { serverAndBrowser } from "./support/serving.ts";

/** A recipe of the caller's, with the parts of an official one. */
async function createRecipe(client: Client, name: string) {
  const { results } = await client.recipes.list({ query: { search: "Phone 6.1 in, Android 15", page_size: 1 } });
  const { hardware_profile: profile, os_image: image } = results[0] ?? {};
  const body = { name, hardware_profile_uuid: profile?.uuid ?? "", os_image_uuid: image?.uuid ?? "" };
  return client.recipes.create({ body });
}

/** What can be done with hardware profiles, recipes and devices, alone and with others, pressed in a browser. */
describe("the catalogue", () => {
  const started = serverAndBrowser();

  async function openSignedIn() {
    const { page, errors, close } = await openPage(started.browser, started.server.url);
    await signIn(page, demo.user);
    const dialog = page.getByRole("dialog");
    const card = (name: string) => page.getByRole("listitem", { name, exact: true });
    const choose = async (name: string, item: string) => {
      await card(name)
        .getByRole("button", { name: `More actions for ${name}` })
        .click();
      await page.getByRole("menuitem", { name: item }).click();
    };
    const press = (name: string) => dialog.getByRole("button", { name, exact: true }).click();
    return { page, dialog, card, choose, press, errors, close };
  }

  it("creates, changes, duplicates and deletes a hardware profile", async () => {
    const { page, dialog, card, choose, press, errors, close } = await openSignedIn();
    await page.goto("/hardware-profiles");
    await page.getByRole("button", { name: "Create profile" }).first().click();
    await dialog.getByLabel("Name").fill("Odd fold");
    await press("Foldable");
    await press("Add display");
    await dialog.getByRole("group", { name: "Inner display" }).getByLabel("Width (px)").fill("1700");
    expect(await seriousFindings(page)).toEqual([]);
    await press("Create profile");
    await dialog.waitFor({ state: "hidden" });
    await card("Odd fold").getByText("1700 × 2400").waitFor();

    await page.getByRole("region", { name: "Your recent profiles" }).getByRole("button", { name: "Odd fold" }).click();
    await press("Edit");
    await dialog.getByLabel("Name").fill("Even fold");
    await press("Save profile");
    await dialog.waitFor({ state: "hidden" });

    await choose("Even fold", "Duplicate");
    await press("Duplicate profile");
    await card("Copy of Even fold").waitFor();

    await choose("Copy of Even fold", "Delete");
    await press("Delete profile");
    await card("Copy of Even fold").waitFor({ state: "hidden" });
    await card("Even fold").waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("creates, changes, duplicates and deletes a recipe", async () => {
    const { page, dialog, card, choose, press, errors, close } = await openSignedIn();
    await page.goto("/recipes");
    await page.getByRole("button", { name: "Create recipe" }).first().click();
    await dialog.getByLabel("Name").fill("Moss");
    await dialog.getByRole("combobox", { name: "Hardware profile" }).fill("phone");
    await page.getByRole("option", { name: /Phone/ }).first().click();
    await dialog.getByRole("combobox", { name: "OS image" }).fill("android 15");
    await page
      .getByRole("option", { name: /Android 15/ })
      .first()
      .click();
    await press("Create recipe");
    await dialog.waitFor({ state: "hidden" });

    await choose("Moss", "Edit");
    await dialog.getByLabel("Description").fill("green");
    await press("Save recipe");
    await dialog.waitFor({ state: "hidden" });
    await card("Moss").getByText("green").waitFor();

    await choose("Moss", "Duplicate");
    await press("Create copy");
    await card("Copy of Moss").waitFor();
    await choose("Copy of Moss", "Delete");
    await press("Delete recipe");
    await card("Copy of Moss").waitFor({ state: "hidden" });
    expect(errors).toEqual([]);
    await close();
  });

  it("shares a recipe, which is there for a guest without a reload, starts, and is gone when the share ends; the device runs on", async () => {
    const { server, browser } = started;
    const { client } = await server.signIn(demo.user);
    const recipe = await createRecipe(client, "Fern");
    const [owner, guest] = await Promise.all([openPage(browser, server.url), openPage(browser, server.url)]);
    await Promise.all([signIn(owner.page, demo.user), signIn(guest.page, demo.guest)]);
    await guest.page.goto("/recipes");
    const card = (page: typeof owner.page) => page.getByRole("listitem", { name: "Fern", exact: true });
    await guest.page.getByRole("listitem", { name: "Northwind phone", exact: true }).waitFor();
    expect(await card(guest.page).count()).toBe(0);

    // The owner shares it.
    await owner.page.goto("/recipes#custom");
    const dialog = owner.page.getByRole("dialog", { name: "Share “Fern”" });
    const askToShare = async () => {
      await owner.page.getByRole("button", { name: "More actions for Fern" }).click();
      await owner.page.getByRole("menuitem", { name: "Share" }).click();
      await dialog.getByRole("combobox", { name: "Email addresses" }).waitFor();
    };
    await askToShare();
    await dialog.getByRole("combobox").fill("nobody@demo.test");
    await dialog.getByRole("button", { name: "Share recipe" }).click();
    await dialog.getByText("Some emails weren't found in the organization.").waitFor();
    await dialog.getByRole("button", { name: "Remove it" }).click();
    await dialog.getByRole("combobox").fill(demo.guest.email);
    await dialog.getByLabel("Message").fill("Have a look");
    expect(await seriousFindings(owner.page)).toEqual([]);
    await dialog.getByRole("button", { name: "Share recipe" }).click();
    await dialog.waitFor({ state: "hidden" });
    await card(owner.page).getByText("Shared", { exact: true }).waitFor();

    // The guest starts a device from it, which counts for the owner's organization.
    await card(guest.page)
      .getByText(/^Shared by /)
      .waitFor();
    await guest.page.getByRole("button", { name: "More actions for Fern" }).click();
    await expect.poll(() => guest.page.getByRole("menuitem").allTextContents()).toEqual(["Details", "Link and badge"]);
    await guest.page.keyboard.press("Escape");
    await guest.page.getByRole("button", { name: "Start Fern" }).click();
    await guest.page.getByRole("dialog").getByLabel("Device name").fill("fern-1");
    await guest.page.getByRole("dialog").getByRole("button", { name: "Start device" }).click();
    await guest.page.getByRole("button", { name: "Continue" }).click();
    const me = await client.users.list({ query: { users: [demo.user.email] } });
    const uuid = me.results[0]?.organization?.uuid ?? "";
    expect((await client.organizations.get({ params: { uuid } })).running_instances).toBe(1);
    const display = await guest.page.context().newPage();
    await display.goto("/launchpad");
    await display
      .getByRole("row", { name: /fern-1/ })
      .getByText("Online")
      .waitFor();
    await display.getByRole("row", { name: /fern-1/ }).dblclick();
    await display.waitForURL("**/instance/*");
    await livePicture(display);

    // The owner ends it.
    await askToShare();
    await dialog.getByText(demo.guest.email).waitFor();
    await dialog.getByRole("button", { name: "Stop sharing", exact: true }).click();
    await owner.page
      .getByRole("dialog", { name: "Stop sharing “Fern”?" })
      .getByRole("button", { name: "Stop sharing" })
      .click();
    await card(guest.page).waitFor({ state: "detached" });
    const { client: theirs } = await server.signIn(demo.guest);
    const gone = theirs.recipes.get({ params: { uuid: recipe.uuid } });
    await expect(gone).rejects.toMatchObject({ code: "RECIPE_NOT_FOUND" });
    await display.reload();
    await livePicture(display);
    const device = display.url().split("/").at(-1) ?? "";
    expect((await theirs.instances.stop({ params: { uuid: device } })).state).toBe("STOPPING");
    expect([...owner.errors, ...guest.errors]).toEqual([]);
    await Promise.all([owner.close(), guest.close()]);
  });

  it("shares a device with a colleague who is invited, to see and to touch, until they are removed", async () => {
    const { server, browser } = started;
    const { client } = await server.signIn(demo.user);
    const device = await startDevice(client, { name: "moss-1" });
    const [owner, colleague] = await Promise.all([openPage(browser, server.url), openPage(browser, server.url)]);
    await blockWebRtc(colleague.page);
    await Promise.all([signIn(owner.page, demo.user), signIn(colleague.page, demo.manager)]);
    await owner.page.goto(`/instance/${device.uuid}`);
    await livePicture(owner.page);

    // The owner invites, and the colleague is told where they are.
    const dialog = owner.page.getByRole("dialog", { name: "Share “moss-1” live" });
    await owner.page.getByRole("button", { name: "Share" }).click();
    await dialog.getByRole("combobox", { name: "Email addresses" }).fill(demo.manager.email);
    await dialog.getByLabel("Message").fill("Have a look");
    expect(await seriousFindings(owner.page)).toEqual([]);
    await dialog.getByRole("button", { name: "Invite" }).click();
    await dialog.waitFor({ state: "hidden" });
    await owner.page.getByRole("button", { name: "Share" }).getByText("2/5").waitFor();
    await colleague.page.getByRole("link", { name: "Join" }).click();
    await colleague.page.waitForURL("**/live-session/*");
    await livePicture(colleague.page);
    // Their network lets no WebRTC through, so all of this goes over their socket.
    await colleague.page.getByText("The network lets no WebRTC through").waitFor();
    expect(await seriousFindings(colleague.page)).toEqual([]);
    expect(await colleague.page.getByRole("button", { name: "Stop" }).count()).toBe(0);

    // What the colleague touches, both see.
    const before = await steadyPicture(owner.page);
    const theirs = await pictureOf(colleague.page);
    await tap(colleague.page, 0.15, 0.845);
    await expect.poll(() => pictureOf(owner.page), { timeout: 15_000 }).not.toBe(before);
    await expect.poll(() => pictureOf(colleague.page), { timeout: 15_000 }).not.toBe(theirs);

    // Removed, they are cut off within a second.
    await owner.page.getByRole("button", { name: "Share" }).click();
    const removing = Date.now();
    await dialog.getByRole("button", { name: /^Remove / }).click();
    await colleague.page.getByText("You are no longer in this live session.").waitFor();
    console.info(`A participant who was removed saw so after ${Date.now() - removing} ms`);
    expect(await colleague.page.locator("video").count()).toBe(0);
    await livePicture(owner.page);
    expect([...owner.errors, ...colleague.errors]).toEqual([]);
    await Promise.all([owner.close(), colleague.close()]);
  });
});
