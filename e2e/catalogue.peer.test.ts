import { describe, expect, it } from "vitest";
import { openPage, seriousFindings, signIn } from "./support/browser.ts";
import { demo } from "./support/server.ts";
import { serverAndBrowser } from "./support/serving.ts";

/** What can be done with hardware profiles and recipes, pressed in a browser. */
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
    await dialog.getByLabel("Name").fill("Fern");
    await dialog.getByRole("combobox", { name: "Hardware profile" }).fill("phone");
    await page.getByRole("option", { name: /Phone/ }).first().click();
    await dialog.getByRole("combobox", { name: "OS image" }).fill("android 15");
    await page
      .getByRole("option", { name: /Android 15/ })
      .first()
      .click();
    await press("Create recipe");
    await dialog.waitFor({ state: "hidden" });

    await choose("Fern", "Edit");
    await dialog.getByLabel("Description").fill("green");
    await press("Save recipe");
    await dialog.waitFor({ state: "hidden" });
    await card("Fern").getByText("green").waitFor();

    await choose("Fern", "Duplicate");
    await press("Create copy");
    await card("Copy of Fern").waitFor();
    await choose("Copy of Fern", "Delete");
    await press("Delete recipe");
    await card("Copy of Fern").waitFor({ state: "hidden" });
    expect(errors).toEqual([]);
    await close();
  });
});
