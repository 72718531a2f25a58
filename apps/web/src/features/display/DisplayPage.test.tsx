import type { Instance, User } from "@terrarium/contract";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { queryClient, session } from "../../session/client.ts";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { FakeSocket } from "../../shared/miniatures/testing/fake-socket.ts";
import { anInstance, anOrganization, aRecipe, aUser } from "../../testing/factories.ts";
import { displayStates } from "./testing/display-states.tsx";
import { at, framed } from "./testing/Framed.tsx";

const instance = anInstance({ name: "payments-smoke-01", state: "BOOTING" });
const address = `/instance/${instance.uuid}`;
const fetch = vi.spyOn(globalThis, "fetch");
const answer = (body: object, status = 200) => fetch.mockImplementation(async () => Response.json(body, { status }));
const refuse = (code: string, status: number) => answer({ code, message: code }, status);

const addressOf = (asked: Parameters<typeof globalThis.fetch>[0]) =>
  new URL(asked instanceof Request ? asked.url : asked, location.href).pathname;
/** Answers with a device that stops once it is asked to. */
const answerStoppable = (device: Instance) => {
  let { state } = device;
  fetch.mockImplementation(async (asked) => {
    if (addressOf(asked).endsWith("/stop-disposable")) state = "STOPPING";
    return Response.json({ ...device, state });
  });
};

beforeEach(() => page.viewport(1280, 800));
afterEach(() => {
  queryClient.clear();
  fetch.mockReset();
  for (const { id } of readSnacks()) closeSnack(id);
});

describe("the display page", () => {
  it.each([
    ["INSTANCE_NOT_ALLOWED", 403, "You are not allowed to display this virtual device."],
    ["INSTANCE_NOT_FOUND", 404, "Device not found."],
    ["INSTANCE_ENDED", 404, "This virtual device is not running."],
    ["INVALID_IDENTIFIER", 400, "This identifier is not valid."],
    ["FORBIDDEN", 403, "You cannot access this virtual device."],
  ])("says what %s means and leads back", async (code, status, sentence) => {
    refuse(code, status);
    const { router, page: element } = at(address);
    const screen = await render(element);
    await expect.element(screen.getByText(sentence)).toBeVisible();
    await screen.getByRole("link", { name: "Back to your devices" }).click();
    expect(router.state.location.pathname).toBe("/launchpad");
  });

  const signIn = (user: User) => {
    const exp = Math.floor(Date.now() / 1000) + 3600;
    session.open({ token: `x.${btoa(JSON.stringify({ exp }))}.y`, user });
    onTestFinished(() => session.close());
  };

  it("shows nobody the device of a colleague, but whose it is and how to reach them", async () => {
    answer({ ...instance, state: "ONLINE" });
    signIn(aUser({ uuid: "someone else", is_organization_manager: false }));
    const screen = await render(at(address).page);
    await expect.element(screen.getByText("You are not allowed to display this virtual device.")).toBeVisible();
    await expect.element(screen.getByText("It belongs to Mara Lindqvist.")).toBeVisible();
    await expect
      .element(screen.getByRole("link", { name: "Message the owner" }))
      .toHaveAttribute("href", "mailto:manager@demo.test?subject=Device%20payments-smoke-01");
    await expect.element(screen.getByRole("button", { name: "Stop device" })).not.toBeInTheDocument();
    expect(document.querySelector("video")).toBeNull();
  });

  it.each([
    ["a manager of the organization that pays", {}, "own", 1],
    ["a manager, on a recipe of another organization", {}, "other", 0],
    ["somebody else", { is_organization_manager: false }, "own", 0],
  ])("offers a plan when the minutes are used up, to %s", async (_, who, whose, links) => {
    const me = aUser({ uuid: instance.owner.uuid, ...who });
    const organization = {
      uuid: whose === "own" ? (me.organization?.uuid ?? "") : "11111111-1111-4111-8111-111111111111",
    };
    const recipe = instance.recipe && {
      ...instance.recipe,
      owner: { uuid: "a", email: "a@b.test", first_name: "", last_name: "", organization },
    };
    const stops_at = new Date(Date.now() + 500_000).toISOString();
    answer({ ...instance, recipe, stops_at, stops_because: "minutes_used_up" });
    signIn(me);
    const screen = await render(at(address).page);
    await expect.element(screen.getByText("Free minutes used up")).toBeVisible();
    expect(screen.getByRole("link", { name: "Choose a plan" }).elements()).toHaveLength(links);
    expect(screen.getByText("Ask your manager").elements()).toHaveLength(1 - links);
  });

  it("brings what is dropped to the folder that is looked at, an app as well", async () => {
    const uploaded: object[] = [];
    class UploadSocket extends FakeSocket {
      constructor(url: string) {
        super(url);
        if (url.endsWith("/upload")) setTimeout(() => this.open());
      }
      override send(text: string): void {
        uploaded.push(JSON.parse(text) as object);
      }
    }
    vi.stubGlobal("WebSocket", UploadSocket);
    onTestFinished(() => void vi.unstubAllGlobals());
    const user = aUser();
    const device = { ...instance, state: "ONLINE" as const, owner: { ...instance.owner, uuid: user.uuid } };
    fetch.mockImplementation(async (asked) =>
      addressOf(asked).includes("access-token") ? Response.json({ access_token: "t" }) : Response.json(device),
    );
    signIn(user);
    const screen = await render(at(`${address}?tool=files&path=/sdcard/Music`).page);
    await expect.element(screen.getByRole("tab", { name: "Files" })).toBeVisible();
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(["x"], "an.apk"));
    dispatchEvent(new DragEvent("dragenter", { dataTransfer }));
    await expect.element(screen.getByText("They go to /sdcard/Music on the device.")).toBeVisible();
    dispatchEvent(new DragEvent("drop", { dataTransfer, cancelable: true }));
    await vi.waitFor(() => expect(uploaded[1]).toMatchObject({ name: "an.apk", folder: "/sdcard/Music" }));
  });

  it("asks for an app to install with a button of a running device of one’s own", async () => {
    const user = aUser();
    const device = { ...instance, state: "ONLINE" as const, owner: { ...instance.owner, uuid: user.uuid } };
    answer(device);
    signIn(user);
    const screen = await render(at(address).page);
    const asked = vi.spyOn(HTMLInputElement.prototype, "click").mockReturnValue();
    onTestFinished(() => asked.mockRestore());
    await screen.getByRole("button", { name: "Install an app" }).click();
    const [input] = asked.mock.contexts as HTMLInputElement[];
    expect(input?.accept).toContain(".apk");
    const chosen = new DataTransfer();
    chosen.items.add(new File(["PK\u0003\u0004"], "fern.apk"));
    input!.files = chosen.files;
    input!.dispatchEvent(new Event("change"));
    await expect.element(screen.getByRole("dialog", { name: "Install fern.apk" })).toBeVisible();
  });

  it.each([
    ["starts", {}],
    ["is a colleague’s", { state: "ONLINE", owner: { ...instance.owner, uuid: "another" } }],
  ] as const)("asks for no app for a device that %s", async (_, change) => {
    const user = aUser();
    answer({ ...instance, owner: { ...instance.owner, uuid: user.uuid }, ...change });
    signIn(user);
    const screen = await render(at(address).page);
    await expect.element(screen.getByRole("heading", { name: instance.name })).toBeVisible();
    await expect.element(screen.getByRole("button", { name: "Install an app" })).not.toBeInTheDocument();
  });

  it("lets a manager stop the device of a colleague, after asking", async () => {
    answerStoppable({ ...instance, state: "ONLINE" });
    signIn(aUser({ uuid: "another manager" }));
    const { router, page: element } = at(address);
    const screen = await render(element);
    await screen.getByRole("button", { name: "Stop device" }).click();
    const dialog = screen.getByRole("dialog", { name: "Stop payments-smoke-01?" });
    await dialog.getByRole("button", { name: "Stop device" }).click();
    await vi.waitFor(() => expect(router.state.location.pathname).toBe("/launchpad"));
  });

  it("asks a manager at once at the address for stopping a colleague's device", async () => {
    answerStoppable({ ...instance, state: "ONLINE" });
    signIn(aUser({ uuid: "another manager" }));
    const { router, page: element } = at(`${address}/stop`);
    const screen = await render(element);
    await screen.getByRole("dialog", { name: /^Stop/ }).getByRole("button", { name: "Stop device" }).click();
    await vi.waitFor(() => expect(router.state.location.pathname).toBe("/launchpad"));
  });

  it("asks at once at its address for saving, and Cancel leads to the device", async () => {
    answer({ ...instance, state: "ONLINE" });
    signIn(aUser());
    const { router, page: element } = at(`${address}/save`);
    const screen = await render(element);
    const dialog = screen.getByRole("dialog", { name: "Save payments-smoke-01" });
    await expect.element(dialog.getByRole("textbox", { name: "Recipe name" })).toBeVisible();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await vi.waitFor(() => expect(router.state.location.pathname).toBe(address));
    await expect.element(screen.getByRole("dialog")).not.toBeInTheDocument();
    await screen.getByRole("button", { name: "Save device" }).click();
    await expect.element(dialog).toBeVisible();
  });

  it("refuses to save a colleague's device at its address", async () => {
    answer({ ...instance, state: "ONLINE" });
    signIn(aUser({ uuid: "another manager" }));
    const screen = await render(at(`${address}/save`).page);
    const dialog = screen.getByRole("dialog");
    await expect.element(dialog.getByText("You are not allowed to save this virtual device.")).toBeVisible();
  });

  it("refuses to save at its address what one may not even look at", async () => {
    refuse("INSTANCE_NOT_ALLOWED", 403);
    signIn(aUser());
    const screen = await render(at(`${address}/save`).page);
    await expect.element(screen.getByText("You are not allowed to save this virtual device.")).toBeVisible();
  });

  it("says why a device cannot be saved yet", async () => {
    answer(instance);
    signIn(aUser());
    const screen = await render(at(address).page);
    await expect
      .element(screen.getByRole("button", { name: "Save device" }))
      .toHaveAttribute("aria-description", "This virtual device is not online. Only one that is can be saved.");
  });

  it.each([
    ["SAVING", 0, "Collecting what changed since it started.", "0"],
    ["SAVING", 42, "Storing what changed: 42 %.", "42"],
    ["SAVED", 90, "Everything is stored. The device is stopping.", "100"],
  ] as const)("says how far the saving of a device is: %s, %i", async (state, progress, sentence, shown) => {
    answer({ ...instance, state, save: { action: "update", recipe_uuid: recipe.uuid, progress } });
    const screen = await render(at(address).page);
    await expect.element(screen.getByText(sentence)).toBeVisible();
    await expect.element(screen.getByRole("progressbar")).toHaveAttribute("aria-valuenow", shown);
  });

  const recipe = aRecipe({ name: "Payments phone" });
  it("offers to start what a device was saved into", async () => {
    const saved = { action: "save_as", recipe_uuid: recipe.uuid, progress: 100 };
    fetch.mockImplementation(async (url) => {
      if (addressOf(url).includes("/recipes/")) return Response.json(recipe);
      return Response.json({ ...instance, state: "DELETED", save: saved });
    });
    signIn(aUser());
    const screen = await render(at(address).page);
    await expect.element(screen.getByRole("button", { name: "Start it again" })).toBeVisible();
    expect(fetch.mock.calls.some(([url]) => addressOf(url).endsWith(`/recipes/${recipe.uuid}`))).toBe(true);
  });

  it("offers to start its own recipe again, if the device was not saved into another", async () => {
    const save = { action: "save_as", recipe_uuid: "another", progress: 42, error: "SAVE_FAILED" };
    fetch.mockImplementation(async (url) => {
      if (addressOf(url).includes("/recipes/")) return Response.json(recipe);
      return Response.json({ ...instance, state: "DELETED", save, recipe: { ...instance.recipe, uuid: recipe.uuid } });
    });
    signIn(aUser());
    const screen = await render(at(address).page);
    await expect.element(screen.getByRole("button", { name: "Start it again" })).toBeVisible();
    expect(fetch.mock.calls.some(([url]) => addressOf(url).endsWith(`/recipes/${recipe.uuid}`))).toBe(true);
  });

  const details = { recipe_uuid: recipe.uuid };
  it.each([
    ["has just ended", 200, { ...instance, state: "EXPIRED", recipe: { ...instance.recipe, uuid: recipe.uuid } }],
    ["ended before its page was opened", 404, { code: "INSTANCE_ENDED", message: "", details }],
  ])("starts a device again, from its recipe, that %s", async (_, status, ended) => {
    fetch.mockImplementation(async (url) => {
      const pathname = addressOf(url);
      if (pathname.includes("/recipes/")) return Response.json(recipe);
      if (pathname.endsWith("/recipes")) return Response.json({ results: [], count: 0, next: null, previous: null });
      if (pathname.includes("/organizations/")) return Response.json(anOrganization());
      return Response.json(ended, { status });
    });
    signIn(aUser());
    const screen = await render(at(address).page);
    await screen.getByRole("button", { name: "Start it again" }).click();
    await expect.element(screen.getByRole("dialog").getByText("Payments phone").first()).toBeVisible();
  });

  it("does not offer to start what has no recipe any more", async () => {
    fetch.mockImplementation(async (url) =>
      addressOf(url).includes("/recipes/")
        ? Response.json({ code: "RECIPE_NOT_FOUND", message: "" }, { status: 404 })
        : Response.json({ ...instance, state: "EXPIRED" }),
    );
    signIn(aUser());
    const screen = await render(at(address).page);
    await expect.element(screen.getByText("This virtual device is not running.")).toBeVisible();
    await vi.waitFor(() => expect(fetch.mock.calls.length).toBeGreaterThan(1));
    await expect.element(screen.getByRole("button", { name: "Start it again" })).not.toBeInTheDocument();
  });

  it("says what is kept of a device that has ended, also what is kept a moment later", async () => {
    let count = 0;
    fetch.mockImplementation(async (asked) => {
      if (addressOf(asked).endsWith("/captures")) return Response.json({ count: count++, results: [] });
      return Response.json({ code: "INSTANCE_ENDED", message: "" }, { status: 404 });
    });
    signIn(aUser());
    const screen = await render(at(address).page);
    await expect.element(screen.getByText("This virtual device is not running.")).toBeVisible();
    const kept = screen.getByRole("link", { name: "1 capture is kept" });
    await expect.element(kept, { timeout: 5_000 }).toHaveAttribute("href", "/captures");
    const [asked] = fetch.mock.calls.find(([url]) => addressOf(url).endsWith("/captures"))!;
    expect(asked instanceof Request ? asked.url : String(asked)).toContain(`instance=${instance.uuid}`);
  });

  it("does not ask the service about what is no identifier", async () => {
    const screen = await render(at("/instance/42").page);
    await expect.element(screen.getByText("This identifier is not valid.")).toBeVisible();
    expect(fetch).not.toHaveBeenCalled();
  });

  it("follows a device that starts, and says when it ended", async () => {
    answer({ ...instance, state: "CREATING" });
    const screen = await render(at(address).page);
    await expect.element(screen.getByText("Creating the device")).toBeVisible();
    answer(instance);
    await expect.element(screen.getByText("Booting Android")).toBeVisible();
    await expect.element(screen.getByRole("heading", { name: "payments-smoke-01" })).toBeVisible();
    refuse("INSTANCE_ENDED", 404);
    await expect.element(screen.getByText("This virtual device is not running.")).toBeVisible();
  });

  it.each([
    ["STOPPING", "This virtual device is stopping."],
    ["SAVING", "This virtual device is being saved."],
    ["EXPIRED", "This virtual device is not running."],
  ] as const)("has words for %s, and no way to stop it", async (state, sentence) => {
    answer({ ...instance, state });
    const screen = await render(at(address).page);
    await expect.element(screen.getByText(sentence)).toBeVisible();
    await expect.element(screen.getByRole("button", { name: "Stop" })).not.toBeInTheDocument();
  });

  it("stops the device after asking, and goes back to the list", async () => {
    answerStoppable(instance);
    const { router, page: element } = at(address);
    const screen = await render(element);
    await screen.getByRole("button", { name: "Stop", exact: true }).click();
    const dialog = screen.getByRole("dialog", { name: "Stop payments-smoke-01?" });
    for (const fact of ["What changed on it since it started is lost.", instance.uuid, "Mara Lindqvist", /ago$/])
      await expect.element(dialog.getByText(fact)).toBeVisible();
    await expect.element(screen.getByRole("button", { name: "Cancel" })).toHaveFocus();
    await screen.getByRole("button", { name: "Stop device" }).click();
    await vi.waitFor(() => expect(router.state.location.pathname).toBe("/launchpad"));
    expect(fetch.mock.calls.some(([url]) => typeof url === "string" && url.endsWith("/stop-disposable"))).toBe(true);
    await expect.element(page.getByText("Stopping payments-smoke-01")).toBeInTheDocument();
    // The list shows it, so no snack does.
    expect(readSnacks()).toEqual([]);
  });

  it("stays with the device when it could not be stopped", async () => {
    answer(instance);
    const { router, page: element } = at(`${address}/stop`);
    const screen = await render(element);
    await expect.element(screen.getByRole("dialog")).toBeVisible();
    refuse("INTERNAL_ERROR", 500);
    await screen.getByRole("button", { name: "Stop device" }).click();
    await vi.waitFor(() => expect(readSnacks()).toMatchObject([{ message: "The device could not be stopped." }]));
    await vi.waitFor(() => expect(router.state.location.pathname).toBe(address));
    await expect.element(screen.getByRole("heading", { name: instance.name })).toBeVisible();
  });

  it("asks at once at its address for stopping, and Cancel leads to the device", async () => {
    answer(instance);
    const { router, page: element } = at(`${address}/stop`);
    const screen = await render(element);
    await screen.getByRole("button", { name: "Cancel" }).click();
    await vi.waitFor(() => expect(router.state.location.pathname).toBe(address));
    await expect.element(screen.getByRole("dialog")).not.toBeInTheDocument();
  });
});

describe("the states of the page", () => {
  it.each(Object.keys(displayStates) as (keyof typeof displayStates)[])("%s is shown whole", async (name) => {
    answer({ access_token: "x", expires_at: "2026-03-02T10:00:00Z" });
    await render(framed(displayStates[name]));
    await expect.element(page.getByRole("link").first()).toBeVisible();
    const { scrollWidth, clientWidth } = document.documentElement;
    expect(scrollWidth).toBe(clientWidth);
  });

  it.each([
    ["phone", 1280, 800],
    ["tablet", 1440, 900],
    ["tablet", 1000, 700],
    ["phone", 390, 700],
    ["tablet", 844, 1180],
  ] as const)("makes way for the battery of a %s at %i × %i", async (name, width, height) => {
    answer({ access_token: "x", expires_at: "2026-03-02T10:00:00Z" });
    await page.viewport(width, height);
    const screen = await render(framed(displayStates[name]));
    const battery = screen.getByRole("button", { name: "Battery" });
    await expect.element(battery).not.toHaveAttribute("aria-disabled");
    await battery.click();
    const panel = screen.getByRole("dialog", { name: "Battery" });
    await expect.element(panel).toBeVisible();
    await vi.waitFor(() => {
      const beside = panel.element().getBoundingClientRect();
      const picture = document.querySelector("video")?.getBoundingClientRect() ?? new DOMRect();
      expect(picture.width).toBeGreaterThan(100);
      expect(Math.max(beside.left - picture.right, beside.top - picture.bottom)).toBeGreaterThanOrEqual(0);
      expect(beside.right).toBeLessThanOrEqual(width);
    });
  });

  it("keeps everything off the picture", async () => {
    answer({ access_token: "x", expires_at: "2026-03-02T10:00:00Z" });
    const screen = await render(framed(displayStates.phone));
    await expect.element(screen.getByText("720 × 1280")).toBeVisible();
    const video = document.querySelector("video") as HTMLVideoElement;
    const { left, top, width, height } = video.getBoundingClientRect();
    expect(width / height).toBeCloseTo(180 / 320, 2);
    for (const [x, y] of [
      [0.5, 0.02],
      [0.1, 0.5],
      [0.5, 0.5],
      [0.9, 0.5],
      [0.5, 0.98],
    ] as const)
      expect(document.elementFromPoint(left + x * width, top + y * height)).toBe(video);
  });
});
