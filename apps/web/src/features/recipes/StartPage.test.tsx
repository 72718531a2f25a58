import { AppError, type Recipe } from "@terrarium/contract";
import { beforeEach, describe, expect, it } from "vitest";
import { page as browserPage, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { type Me, MeContext } from "../../session/user.ts";
import { anInstance, anOrganization, aRecipe, guest, manager } from "../../testing/factories.ts";
import { aPage, fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import { soon } from "../../testing/soon.ts";
import { recentRecipes } from "./recent-recipes.ts";
import StartPage from "./StartPage.tsx";

beforeEach(async () => {
  recentRecipes.write([]);
  for (const { id } of readSnacks()) closeSnack(id);
  await browserPage.viewport(1440, 900);
});

interface Given {
  recipe?: Recipe;
  me?: Me;
  answers?: Parameters<typeof fakeService>[0];
}

/** The page, opened by its link over a page that was there before. */
async function open({ recipe = aRecipe({ name: "Fern, Android 15" }), me = manager, answers = {} }: Given = {}) {
  const device = anInstance({ name: "fern-android-15" });
  const service = fakeService({
    "GET /v2/recipes/:uuid": () => recipe,
    "GET /v1/organizations/:uuid": () => anOrganization(),
    "POST /v1/recipes/:uuid/start-disposable": () => device,
    "GET /v1/instances/:uuid": () => device,
    "GET /v2/instances": () => aPage([]),
    ...answers,
  });
  const router = createMemoryRouter(
    [
      { path: "/", element: <p>Somewhere</p> },
      { path: "/start/:uuid", element: <StartPage /> },
      { path: "/instance/:uuid", element: <p>The display</p> },
    ],
    { initialEntries: ["/", `/start/${recipe.uuid}`] },
  );
  const screen = await render(
    <InTestApp isRouted={false}>
      <MeContext value={me}>
        <RouterProvider router={router} />
      </MeContext>
    </InTestApp>,
  );
  const starts = () => service.to("POST", /start-disposable$/);
  const keys = () => starts().map(({ headers }) => headers.get("idempotency-key"));
  const button = screen.getByRole("button", { name: "Start device" });
  return { screen, service, router, device, starts, keys, button };
}

describe("the page of a link to a recipe", () => {
  it("shows what would start and whose limit it counts for, and starts nothing by itself", async () => {
    const { screen, starts, button } = await open();
    await expect.element(button).toHaveFocus();
    await expect.element(screen.getByRole("heading", { name: "Fern, Android 15" })).toBeVisible();
    await expect.element(screen.getByText("Northwind Mobile, 3 of 10 running")).toBeVisible();
    await expect.element(screen.getByText("You are signed in as Mara Lindqvist.")).toBeVisible();
    expect(document.title).toBe("Fern, Android 15 · Terrarium");
    expect(nameless()).toEqual([]);
    expect(starts()).toEqual([]);
  });

  it("starts with one press and shows the device, which needs no announcement", async () => {
    const before = readSnacks().length;
    const { screen, router, device, starts, button } = await open();
    await expect.element(button).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await expect.element(screen.getByText("The display")).toBeVisible();
    expect(router.state.location.pathname).toBe(`/instance/${device.uuid}`);
    expect(starts()[0]?.body).toMatchObject({ instance_name: "fern-android-15", rename_on_conflict: true });
    expect(readSnacks().length).toBe(before);
    expect(recentRecipes.read()).toHaveLength(1);
  });

  it("takes neither a key that was held before it opened, nor the second half of a double click", async () => {
    const { starts, button } = await open();
    await expect.element(button).toHaveFocus();
    const held = new KeyboardEvent("keydown", { key: "Enter", repeat: true, bubbles: true, cancelable: true });
    expect(button.element().dispatchEvent(held)).toBe(false);
    button.element().dispatchEvent(new MouseEvent("click", { detail: 2, bubbles: true }));
    await new Promise(requestAnimationFrame);
    expect(button.element().getAttribute("aria-busy")).toBe("false");
    expect(starts()).toEqual([]);
  });

  it("asks once, however often it is pressed meanwhile", async () => {
    const answer = Promise.withResolvers<unknown>();
    const { screen, starts, device } = await open({
      answers: { "POST /v1/recipes/:uuid/start-disposable": () => answer.promise },
    });
    const button = screen.getByRole("button", { name: /Start/ });
    await button.click();
    await expect.element(screen.getByText("Starting…")).toBeVisible();
    await button.click();
    answer.resolve(device);
    await expect.element(screen.getByText("The display")).toBeVisible();
    expect(starts()).toHaveLength(1);
  });

  it("leaves whoever went elsewhere meanwhile there, and says that the device starts", async () => {
    const answer = Promise.withResolvers<unknown>();
    const { screen, router, device, starts, button } = await open({
      answers: { "POST /v1/recipes/:uuid/start-disposable": () => answer.promise },
    });
    await button.click();
    await soon(() => expect(starts()).toHaveLength(1));
    await router.navigate("/?from=start", { state: "theirs" });
    await expect.element(screen.getByText("Somewhere")).toBeVisible();
    answer.resolve(device);
    const said = { message: "Starting fern-android-15", action: { to: `/instance/${device.uuid}` } };
    await soon(() => expect(readSnacks().at(-1)).toMatchObject(said));
    expect(router.state.location).toMatchObject({ pathname: "/", search: "?from=start", state: "theirs" });
    expect(recentRecipes.read()).toHaveLength(1);
  });

  it("offers the running device after coming back, and starts another only when told so", async () => {
    const { screen, router, device, keys, button } = await open();
    await button.click();
    await expect.element(screen.getByText("The display")).toBeVisible();
    await router.navigate(-1);
    await expect.element(screen.getByText("fern-android-15, which you started here, is running.")).toBeVisible();
    const link = screen.getByRole("link", { name: "Open the device" });
    await expect.element(link).toHaveFocus();
    await expect.element(link).toHaveAttribute("href", `/instance/${device.uuid}`);
    expect(keys()).toHaveLength(1);
    await screen.getByRole("button", { name: "Start another" }).click();
    await expect.element(screen.getByText("The display")).toBeVisible();
    expect(new Set(keys()).size).toBe(2);
  });

  it("starts another, under a key of its own, when the first has ended meanwhile", async () => {
    const ended = { ...anInstance({ name: "fern" }), state: "DELETED" as const };
    const { screen, router, keys, button } = await open({ answers: { "GET /v1/instances/:uuid": () => ended } });
    await button.click();
    await expect.element(screen.getByText("The display")).toBeVisible();
    await router.navigate(-1);
    await expect.element(screen.getByText("fern, which you started here, has ended.")).toBeVisible();
    await button.click();
    await expect.element(screen.getByText("The display")).toBeVisible();
    expect(new Set(keys()).size).toBe(2);
  });

  it("asks under the same key and name after a reload that lost the answer", async () => {
    let isLost = true;
    const device = anInstance();
    const answer = () => (isLost ? refuse("SERVICE_UNAVAILABLE")() : device);
    const recipe = aRecipe({ name: "Fern" });
    const { screen, router, keys, starts, button } = await open({
      recipe,
      answers: { "POST /v1/recipes/:uuid/start-disposable": answer },
    });
    await button.click();
    await expect.element(screen.getByText(/Trying again does not start a second device/)).toBeVisible();
    // All that outlives a reload is the entry of the history.
    const { state } = router.state.location as { state: unknown };
    await router.navigate("/");
    recipe.name = "Moss";
    await router.navigate(`/start/${recipe.uuid}`, { state });
    isLost = false;
    await button.click();
    await expect.element(screen.getByText("The display")).toBeVisible();
    expect(keys()).toHaveLength(2);
    expect(new Set(keys()).size).toBe(1);
    expect(new Set(starts().map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  it.each(["RECIPE_NOT_FOUND", "INVALID_IDENTIFIER"] as const)(
    "says of %s that there is none for this account",
    async (code) => {
      const { screen } = await open({ answers: { "GET /v2/recipes/:uuid": refuse(code) } });
      await expect.element(screen.getByText("There is no such recipe for you")).toBeVisible();
      await expect.element(screen.getByText(/is not shared with manager@demo.test/)).toBeVisible();
      await expect.element(screen.getByRole("link", { name: "Show my recipes" })).toHaveAttribute("href", "/recipes");
    },
  );

  it("tries again when the service did not answer", async () => {
    let fails = true;
    const { screen, button } = await open({
      answers: { "GET /v2/recipes/:uuid": () => (fails ? refuse("SERVICE_UNAVAILABLE")() : aRecipe()) },
    });
    await expect.element(screen.getByText("The recipe did not load")).toBeVisible();
    fails = false;
    await screen.getByRole("button", { name: "Try again" }).click();
    await expect.element(button).toBeVisible();
  });

  it.each([
    ["incomplete", { os_image: null as never }, /was deleted/],
    ["in error", { status: "ERROR" }, /in error/],
    ["being saved", { status: "UPDATING" }, /being saved/],
  ] as const)("has no button for a recipe that is %s, and says why", async (_, fields, why) => {
    const { screen } = await open({ recipe: { ...aRecipe(), ...fields } });
    await expect.element(screen.getByText(why)).toBeVisible();
    expect(screen.getByRole("button", { name: "Start device" }).query()).toBeNull();
  });

  it("says at the limit what runs, and starts under the same key once there is room", async () => {
    let isFull = true;
    const { screen, keys, button } = await open({
      answers: {
        "POST /v1/recipes/:uuid/start-disposable": () => {
          if (isFull) throw new AppError("TOO_MANY_RUNNING_VDS");
          return anInstance();
        },
      },
    });
    await button.click();
    const dialog = screen.getByRole("dialog", { name: "Device limit reached" });
    await expect.element(dialog).toBeVisible();
    isFull = false;
    await dialog.getByRole("button", { name: "Start device" }).click();
    await expect.element(screen.getByText("The display")).toBeVisible();
    expect(new Set(keys()).size).toBe(1);
  });

  it("tells a guest whose limit it counts for, and whose was reached", async () => {
    const { screen, button } = await open({
      me: guest,
      answers: { "POST /v1/recipes/:uuid/start-disposable": refuse("LICENSE_EXPIRED") },
    });
    await expect.element(screen.getByText("The organization of the recipe")).toBeVisible();
    await button.click();
    await expect.element(screen.getByText("The recipe owner's license has expired.")).toBeVisible();
    await soon(() => expect(button.element()).toHaveAttribute("aria-busy", "false"));
  });
});
