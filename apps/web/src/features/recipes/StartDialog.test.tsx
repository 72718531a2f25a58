import { AppError, type Instance, type Organization, type Recipe, runningStates } from "@terrarium/contract";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page as browserPage, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import type { Me } from "../../session/user.ts";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { Snacks } from "../../components/Snacks.tsx";
import { anId, anInstance, anOrganization, aRecipe, guest, manager, user } from "../../testing/factories.ts";
import { aPage, type Call, fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import { StartDialog } from "./StartDialog.tsx";
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
  start?: (call: Call) => unknown;
  recipe?: Recipe;
  organization?: Organization;
  /** What runs already. */
  running?: Instance[];
  answers?: Parameters<typeof fakeService>[0];
}

async function open({
  recipes = twoRecipes(),
  me = manager,
  start = () => anInstance({ name: "started" }),
  recipe,
  organization = anOrganization(),
  running = [],
  answers = {},
}: Given = {}) {
  const service = fakeService({
    "GET /v3/recipes": ({ query }) => {
      const [page, size] = [Number(query.get("page")), Number(query.get("page_size"))];
      return aPage(recipes.slice((page - 1) * size, page * size), recipes.length);
    },
    "POST /v1/recipes/:uuid/start-disposable": start,
    "GET /v2/instances": () => aPage(running),
    ...answers,
  });
  const onStarted = vi.fn<(instance: Instance, all: readonly Instance[]) => void>();
  const screen = await render(
    <InTestApp>
      <StartDialog
        me={me}
        organization={me.organization ? organization : undefined}
        recipe={recipe}
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
      queue: false,
    });
    await expect.element(screen.getByText("Starting started")).toBeVisible();
    const { uuid } = onStarted.mock.calls[0]![0];
    await expect.element(screen.getByRole("link", { name: "Open" })).toHaveAttribute("href", `/instance/${uuid}`);
  });

  it("sends the idle time that was chosen", async () => {
    const { screen, starts } = await open();
    await screen.getByRole("combobox", { name: "Stop when idle for" }).click();
    await screen.getByRole("option", { name: "2 hours" }).click();
    await screen.getByRole("button", { name: "Start device" }).click();
    await vi.waitFor(() => expect(starts()[0]?.body).toMatchObject({ timeouts: { inactivity: 120 } }));
  });

  it("waits in line if that is wanted, and says how soon devices of the image are ready", async () => {
    const recipe = aRecipe();
    const image = recipe.os_image && { ...recipe.os_image, boot_ms: { p50: 1_240, p95: 12_300 } };
    const { screen, starts } = await open({ recipes: [{ ...recipe, os_image: image }] });
    await expect.element(screen.getByText("1.2 s; 95 of 100 starts within 12 s")).toBeVisible();
    await screen.getByRole("checkbox", { name: "Wait in line if nothing is free" }).click();
    await screen.getByRole("button", { name: "Start device" }).click();
    await expect.poll(() => starts().map(({ body }) => body)).toEqual([expect.objectContaining({ queue: true })]);
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

  it("goes on below what is in sight, as one comes there", async () => {
    const recipes = Array.from({ length: 40 }, (_, index) => aRecipe({ name: `Recipe ${index}` }));
    const { screen, service } = await open({ recipes });
    await expect.element(screen.getByText("The first 24 recipes")).toBeVisible();
    await userEvent.keyboard("{PageDown}{PageDown}{PageDown}{PageDown}");
    await expect.element(screen.getByText("The first 36 recipes")).toBeVisible();
    await userEvent.keyboard("{PageDown}{PageDown}");
    await expect.element(screen.getByText("40 recipes", { exact: true })).toBeVisible();
    expect(service.to("GET", /recipes/).map(({ query }) => query.get("page"))).toEqual(["1", "2", "3", "4"]);
  });

  it("shows official twins as one row with a choice of architecture, which stays for the next row", async () => {
    const pixel = { name: "Pixel", hardware: { uuid: anId() } };
    const tablet = { name: "Tablet", hardware: { uuid: anId() } };
    const recipes = [
      aRecipe({ ...pixel, arch: "x86_64" }),
      aRecipe({ ...pixel, arch: "arm64" }),
      aRecipe({ ...tablet, arch: "arm64" }),
      aRecipe({ ...tablet, arch: "x86_64" }),
      aRecipe({ name: "Mine", is_official: false }),
    ];
    const { screen, starts } = await open({ recipes });
    await expect.element(screen.getByText("3 recipes", { exact: true })).toBeVisible();
    expect(screen.getByRole("option").elements().length).toBe(3);
    const choice = screen.getByRole("group", { name: "Architecture" });
    // What the organization can run comes first.
    await expect.element(choice.getByRole("button", { name: "arm64" })).toHaveAttribute("aria-pressed", "true");
    await choice.getByRole("button", { name: "x86_64" }).click();
    await screen.getByRole("option", { name: /Tablet/ }).click();
    await expect.element(choice.getByRole("button", { name: "x86_64" })).toHaveAttribute("aria-pressed", "true");
    await screen.getByRole("button", { name: "Start device" }).click();
    await vi.waitFor(() => expect(starts()[0]?.path).toContain(recipes[3]?.uuid));
    await screen.getByRole("option", { name: /Mine/ }).click();
    await expect.element(choice).not.toBeInTheDocument();
  });

  it("begins with the recipe and the architecture it is opened for", async () => {
    const pixel = { name: "Pixel", hardware: { uuid: anId() } };
    const [arm, x86] = [aRecipe({ ...pixel, arch: "arm64" }), aRecipe({ ...pixel, arch: "x86_64" })];
    const { screen, starts } = await open({ recipes: [...twoRecipes(), arm, x86], recipe: x86 });
    await expect.element(screen.getByRole("option", { name: /First/ })).toBeVisible();
    expect(screen.getByRole("option").elements().length).toBe(3);
    await screen.getByRole("button", { name: "Start device" }).click();
    await vi.waitFor(() => expect(starts()[0]?.path).toContain(x86.uuid));
  });

  it("asks for one architecture when the filter says so", async () => {
    const { screen, service } = await open();
    await screen.getByRole("combobox", { name: "Architecture" }).click();
    await screen.getByRole("option", { name: "x86_64" }).click();
    await vi.waitFor(() =>
      expect(
        service
          .to("GET", /recipes/)
          .at(-1)
          ?.query.getAll("arch"),
      ).toEqual(["x86_64"]),
    );
  });

  it("names the device after what is chosen, until somebody types a name", async () => {
    const { screen } = await open();
    const name = screen.getByLabelText("Device name");
    await expect.element(name).toHaveValue("first");
    await screen.getByRole("option", { name: /Second/ }).click();
    await expect.element(name).toHaveValue("second-android-15");
    await name.fill("mine");
    await screen.getByRole("option", { name: /First/ }).click();
    await expect.element(screen.getByRole("heading", { name: "First" })).toBeVisible();
    await expect.element(name).toHaveValue("mine");
  });

  it("has nothing to press on a phone that is smaller than a finger", async () => {
    await browserPage.viewport(390, 844);
    const pixel = { name: "Pixel", hardware: { uuid: anId() } };
    const { screen } = await open({ recipes: [aRecipe(pixel), aRecipe({ ...pixel, arch: "x86_64" })] });
    await expect.element(screen.getByRole("option", { name: /Pixel/ })).toBeVisible();
    const small = Array.from(document.querySelectorAll("[role=dialog] :is(button, [role=option], [role=combobox])"))
      // A field is pressed anywhere within its border.
      .map((control) => ({ control, box: (control.closest(".MuiInputBase-root") ?? control).getBoundingClientRect() }))
      .filter(({ box }) => box.height < 44 || box.width < 44)
      .map(
        ({ control, box }) =>
          `${control.getAttribute("aria-label") ?? control.textContent}: ${box.width} x ${box.height}`,
      );
    expect(small).toEqual([]);
  });

  it("does not start without a name or from a recipe in error", async () => {
    const { screen, starts } = await open({
      recipes: [aRecipe({ name: "First" }), aRecipe({ name: "Broken", status: "ERROR" })],
    });
    const button = screen.getByRole("button", { name: "Start device" });
    await screen.getByLabelText("Device name").fill(" ");
    await button.click();
    await expect.element(screen.getByText("Required")).toBeVisible();
    await screen.getByLabelText("Device name").fill("a\u0007b");
    await expect.element(screen.getByText("Use characters that can be seen")).toBeVisible();
    await screen.getByLabelText("Device name").fill("one");
    await expect.element(button).toBeEnabled();
    await screen.getByRole("option", { name: /Broken/ }).click();
    await expect.element(screen.getByText("This recipe is in error and cannot be started.")).toBeVisible();
    await expect.element(button).toBeDisabled();
    await screen.getByRole("option", { name: /Broken/ }).dblClick();
    expect(starts()).toEqual([]);
  });

  it.each([1440, 390])("says in the dialog why it did not start, at %d pixels, and stays open", async (width) => {
    await browserPage.viewport(width, 700);
    const { screen, onStarted } = await open({ start: refuse("NO_SLOT_AVAILABLE") });
    await screen.getByRole("button", { name: "Start device" }).click();
    const said = screen.getByText("Due to high demand, all virtual devices are booked. Please try again later.");
    await vi.waitFor(() => {
      const { top, bottom } = said.element().getBoundingClientRect();
      const { bottom: end } = document
        .querySelector("[role=dialog] [role=alert]")!
        .closest("[role=dialog]")!
        .getBoundingClientRect();
      expect([top > 0, bottom < end - 50]).toEqual([true, true]);
    });
    expect(readSnacks()).toEqual([]);
    expect(onStarted).not.toHaveBeenCalled();
  });

  it("says of the name what the service finds wrong with it", async () => {
    const { screen } = await open({
      start: () => {
        throw new AppError("invalid_request", { fields: [{ field: "instance_name", message: "Not this name" }] });
      },
    });
    await screen.getByRole("button", { name: "Start device" }).click();
    await expect.element(screen.getByText("Not this name")).toBeVisible();
    await expect.element(screen.getByLabelText("Device name")).toHaveFocus();
  });

  it.each([
    [manager, "Too many running virtual devices.", /Stop a device you no longer need, then start First again/],
    [user, "Too many running virtual devices.", /ask your manager for more/],
    [guest, "The recipe owner has too many running virtual devices.", /ask the owner of the recipe/],
  ])("tells what to do at the limit", async (me, sentence, help) => {
    const { screen } = await open({
      me,
      organization: anOrganization(10, 10),
      start: refuse("TOO_MANY_RUNNING_VDS"),
    });
    await screen.getByRole("button", { name: "Start device" }).click();
    const dialog = screen.getByRole("dialog", { name: "Device limit reached" });
    await expect.element(dialog.getByText(sentence)).toBeVisible();
    await expect.element(dialog.getByText(help)).toBeVisible();
    await expect.element(dialog.getByText("None of the running devices is yours.")).toBeVisible();
    await dialog.getByRole("button", { name: "Back to the devices" }).click();
    await expect.element(screen.getByRole("dialog", { name: "Start a device" })).toBeVisible();
  });

  it("lists at the limit what runs, the longest-running first, and stops it after asking", async () => {
    const colleague = { uuid: anId(), email: "t@demo.test", first_name: "Tomasz", last_name: "Wójcik" };
    const running = [
      anInstance({ name: "forgotten" }),
      anInstance({ name: "theirs", owner: colleague }),
      anInstance({ name: "leaving", state: "STOPPING" }),
    ];
    const { screen, service } = await open({
      running,
      start: refuse("TOO_MANY_RUNNING_VDS"),
      answers: {
        "GET /v2/instances": () => aPage(running, 40),
        "POST /v1/instances/:uuid/stop-disposable": () => ({ ...running[0], state: "STOPPING" }),
      },
    });
    await screen.getByRole("button", { name: "Start device" }).click();
    const dialog = screen.getByRole("dialog", { name: "Device limit reached" });
    await expect.element(dialog.getByRole("list", { name: "Running devices" }).getByText("forgotten")).toBeVisible();
    expect(Object.fromEntries(service.to("GET", /instances$/)[0]?.query ?? [])).toMatchObject({
      organization_wide: "true",
      ordering: "created_at",
    });
    expect(service.to("GET", /instances$/)[0]?.query.getAll("state")).toEqual([...runningStates]);
    await expect
      .element(dialog.getByRole("link", { name: "Display forgotten in a new tab" }))
      .toHaveAttribute("href", `/instance/${running[0]?.uuid}`);
    await expect.element(dialog.getByRole("link", { name: "Display theirs in a new tab" })).not.toBeInTheDocument();
    await expect
      .element(dialog.getByRole("button", { name: "Stop leaving" }))
      .toHaveAttribute("aria-description", "This device is ending already.");
    await expect.element(dialog.getByRole("link", { name: "37 more devices in the list" })).toBeVisible();
    expect(nameless()).toEqual([]);
    await dialog.getByRole("button", { name: "Stop forgotten" }).click();
    await screen.getByRole("dialog", { name: "Stop forgotten?" }).getByRole("button", { name: "Stop device" }).click();
    await vi.waitFor(() => expect(service.to("POST", /stop-disposable$/)[0]?.path).toContain(running[0]?.uuid));
  });

  it("does not try again while the limit is reached", async () => {
    const { screen } = await open({ start: refuse("TOO_MANY_RUNNING_VDS"), organization: anOrganization(10, 10) });
    await screen.getByRole("button", { name: "Start device" }).click();
    const dialog = screen.getByRole("dialog", { name: "Device limit reached" });
    await expect.element(dialog.getByRole("button", { name: "Start device" })).toBeDisabled();
  });

  it("starts after all when there is room again", async () => {
    let isFull = true;
    const start = () => (isFull ? refuse("TOO_MANY_RUNNING_VDS")() : anInstance());
    const { screen, onStarted } = await open({ start, organization: anOrganization(9, 10) });
    await screen.getByRole("button", { name: "Start device" }).click();
    const dialog = screen.getByRole("dialog", { name: "Device limit reached" });
    await expect.element(dialog.getByText(/There is room for First now\./)).toBeVisible();
    isFull = false;
    await dialog.getByRole("button", { name: "Start device" }).click();
    await vi.waitFor(() => expect(onStarted).toHaveBeenCalledOnce());
  });

  it("says so when what runs cannot be loaded", async () => {
    const { screen } = await open({
      start: refuse("TOO_MANY_RUNNING_VDS"),
      answers: { "GET /v2/instances": refuse("INTERNAL_ERROR") },
    });
    await screen.getByRole("button", { name: "Start device" }).click();
    await expect.element(screen.getByText("Running devices did not load")).toBeVisible();
  });

  const aTrial = { kind: "enterprise", requested_at: "2026-03-05T14:00:00.000Z", expires_at: null } as const;

  it("asks for a trial at the limit of a license that is not confirmed", async () => {
    const organization = anOrganization(2, 2);
    organization.license.type = "pending";
    const { screen } = await open({ organization, start: refuse("TOO_MANY_RUNNING_VDS") });
    await screen.getByRole("button", { name: "Start device" }).click();
    const dialog = screen.getByRole("dialog", { name: "Request a trial" });
    await expect.element(dialog.getByText(/so 2 devices may run at a time/)).toBeVisible();
    await expect.element(dialog.getByRole("button", { name: "Request trial" })).toBeVisible();
    expect(nameless()).toEqual([]);
  });

  it.each([
    [user, null, "Request a trial", /Ask your manager to request a trial/],
    [manager, { ...aTrial, state: "REQUESTED" }, "Request a trial", /You have asked for a trial/],
    [manager, { ...aTrial, state: "APPROVED" }, "Device limit reached", /Stop a device you no longer need/],
  ] as const)("says what there is to do where no trial can be asked for: %#", async (me, trial, name, help) => {
    const organization = anOrganization(2, 2);
    Object.assign(organization.license, { type: "pending", trial });
    const { screen } = await open({ me, organization, start: refuse("TOO_MANY_RUNNING_VDS") });
    await screen.getByRole("button", { name: "Start device" }).click();
    await expect.element(screen.getByRole("dialog", { name }).getByText(help)).toBeVisible();
  });

  it.each(["LICENSE_EXPIRED", "INVALID_LICENSE"] as const)("leads a manager from %s to the plans", async (code) => {
    const { screen } = await open({ start: refuse(code) });
    await screen.getByRole("button", { name: "Start device" }).click();
    const link = screen.getByRole("link", { name: "Plans & billing" });
    await expect.element(link).toHaveAttribute("href", "/administration/billing");
  });

  it("leads nobody else there", async () => {
    const { screen } = await open({ me: user, start: refuse("LICENSE_EXPIRED") });
    await screen.getByRole("button", { name: "Start device" }).click();
    await expect.element(screen.getByText("Your license has expired.")).toBeVisible();
    expect(screen.getByRole("link", { name: "Plans & billing" }).elements()).toEqual([]);
  });

  it("opens the dialog of the limit for a group's, whatever the license", async () => {
    const organization = anOrganization(1, 2);
    organization.license.type = "pending";
    const { screen } = await open({ organization, start: refuse("GROUP_ALLOCATION_REACHED") });
    await screen.getByRole("button", { name: "Start device" }).click();
    const dialog = screen.getByRole("dialog", { name: "Device limit reached" });
    await expect.element(dialog.getByText("Your group has reached its virtual device limit.")).toBeVisible();
    await expect.element(dialog.getByRole("button", { name: "Start device" })).toBeEnabled();
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
