import { type Instance, type Recipe } from "@terrarium/contract";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page as browserPage, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import type { Me } from "../../session/user.ts";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { Snacks } from "../../components/Snacks.tsx";
import { anInstance, anOrganization, aRecipe, guest, manager, user } from "../../testing/factories.ts";
import { aPage, fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import StartDialog from "./StartDialog.tsx";
import { sourcePreference } from "./start-preferences.ts";

beforeEach(async () => {
  sourcePreference.write("all");
  for (const { id } of readSnacks()) closeSnack(id);
  await browserPage.viewport(1440, 900);
});

const twoRecipes = () => [aRecipe({ name: "First" }), aRecipe({ name: "Second, Android 15" })];

interface Given {
  recipes?: Recipe[];
  me?: Me;
  start?: () => unknown;
}

async function open({
  recipes = twoRecipes(),
  me = manager,
  start = () => anInstance({ name: "started" }),
}: Given = {}) {
  const service = fakeService({
    "GET /v3/recipes": () => aPage(recipes, recipes.length && 30),
    "POST /v1/recipes/:uuid/start-disposable": start,
  });
  const onStarted = vi.fn<(instance: Instance) => void>();
  const screen = await render(
    <InTestApp>
      <StartDialog
        me={me}
        organization={me.organization ? anOrganization() : undefined}
        onClose={() => undefined}
        onStarted={onStarted}
      />
      <Snacks />
    </InTestApp>,
  );
  const starts = () => service.to("POST", /start-disposable$/);
  return { screen, service, starts, onStarted, search: screen.getByRole("combobox", { name: "Search recipes" }) };
}

describe("the start dialog", () => {
  it("keeps the focus in the search while the arrows choose, and starts with Enter", async () => {
    const { screen, starts, onStarted, search } = await open();
    await expect.element(search).toHaveFocus();
    await expect.element(screen.getByRole("option", { name: /First/ })).toHaveAttribute("aria-selected", "true");
    await userEvent.keyboard("{ArrowDown}{ArrowDown}");
    await expect.element(screen.getByRole("option", { name: /Second/ })).toHaveAttribute("aria-selected", "true");
    await expect.element(search).toHaveFocus();
    await expect.element(screen.getByLabelText("Device name")).toHaveValue("second-android-15");
    expect(nameless()).toEqual([]);
    await userEvent.keyboard("{Enter}");
    await vi.waitFor(() => expect(onStarted).toHaveBeenCalledOnce());
    expect(starts()[0]?.body).toEqual({
      instance_name: "second-android-15",
      rename_on_conflict: true,
      automatic_release: { type: "after_inactivity" },
    });
    await expect.element(screen.getByText("Starting started")).toBeVisible();
  });

  it("sends the idle time that was chosen", async () => {
    const { screen, starts } = await open();
    await screen.getByRole("combobox", { name: "Stop when idle for" }).click();
    await screen.getByRole("option", { name: "2 hours" }).click();
    await screen.getByRole("button", { name: "Start device" }).click();
    await vi.waitFor(() => expect(starts()[0]?.body).toMatchObject({ timeouts: { inactivity: 120 } }));
  });

  it("asks once the keys rest, with every filter, and remembers the source", async () => {
    const { screen, service, search } = await open();
    await screen.getByRole("button", { name: "Custom" }).click();
    await screen.getByRole("button", { name: "Watch" }).click();
    await search.fill("wear");
    await vi.waitFor(() => {
      const last = service.to("GET", /recipes/).at(-1)?.query;
      expect([last?.get("search"), last?.get("source"), last?.get("form_factor"), last?.get("page_size")]).toEqual([
        "wear",
        "custom",
        "WATCH",
        "12",
      ]);
    });
    expect(sourcePreference.read()).toBe("custom");
  });

  it("sends no source for guests", async () => {
    const { screen, service } = await open({ me: guest });
    await expect.element(screen.getByRole("option", { name: /First/ })).toBeVisible();
    expect(service.to("GET", /recipes/)[0]?.query.has("source")).toBe(false);
  });

  it("turns the pages", async () => {
    const { screen, service } = await open();
    await expect.element(screen.getByText("1–12 of 30 recipes")).toBeVisible();
    await screen.getByRole("button", { name: "Next page" }).click();
    await vi.waitFor(() =>
      expect(
        service
          .to("GET", /recipes/)
          .at(-1)
          ?.query.get("page"),
      ).toBe("2"),
    );
  });

  it("does not start without a name or from a recipe in error", async () => {
    const { screen } = await open({
      recipes: [aRecipe({ name: "First" }), aRecipe({ name: "Broken", status: "ERROR" })],
    });
    const button = screen.getByRole("button", { name: "Start device" });
    await screen.getByLabelText("Device name").fill(" ");
    await expect.element(screen.getByText("Required")).toBeVisible();
    await expect.element(button).toBeDisabled();
    await screen.getByLabelText("Device name").fill("one");
    await expect.element(button).toBeEnabled();
    await screen.getByRole("option", { name: /Broken/ }).click();
    await expect.element(screen.getByText("This recipe is in error and cannot be started.")).toBeVisible();
    await expect.element(button).toBeDisabled();
  });

  it("says why it did not start, and stays open", async () => {
    const { screen, onStarted } = await open({ start: refuse("NO_SLOT_AVAILABLE") });
    await screen.getByRole("button", { name: "Start device" }).click();
    await expect
      .element(screen.getByText("Due to high demand, all virtual devices are booked. Please try again later."))
      .toBeVisible();
    expect(onStarted).not.toHaveBeenCalled();
  });

  it.each([
    [manager, "Too many running virtual devices.", /Stop a device you no longer need, then start First again/],
    [user, "Too many running virtual devices.", /ask your manager for more/],
    [guest, "The recipe owner has too many running virtual devices.", /Ask the owner of the recipe/],
  ])("tells what to do at the limit", async (me, sentence, help) => {
    const { screen } = await open({ me, start: refuse("TOO_MANY_RUNNING_VDS") });
    await screen.getByRole("button", { name: "Start device" }).click();
    const dialog = screen.getByRole("dialog", { name: "Device limit reached" });
    await expect.element(dialog.getByText(sentence)).toBeVisible();
    await expect.element(dialog.getByText(help)).toBeVisible();
  });

  it("repeats an ask that got no answer under the same key, and a new ask under another", async () => {
    const { screen, starts } = await open({ start: refuse("SERVICE_UNAVAILABLE") });
    const button = screen.getByRole("button", { name: "Start device" });
    await button.click();
    await vi.waitFor(() => expect(starts().length).toBe(1));
    await button.click();
    await vi.waitFor(() => expect(starts().length).toBe(2));
    await screen.getByLabelText("Device name").fill("another");
    await button.click();
    await vi.waitFor(() => expect(starts().length).toBe(3));
    const [first, second, third] = starts().map(({ headers }) => headers.get("idempotency-key"));
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect([second === first, third === first]).toEqual([true, false]);
  });

  it("offers to clear the filters when nothing matches", async () => {
    const { screen, search } = await open({ recipes: [] });
    await search.fill("zz");
    await expect.element(screen.getByText("No recipes match “zz”")).toBeVisible();
    await screen.getByRole("button", { name: "Clear filters" }).click();
    await expect.element(search).toHaveValue("");
  });
});
