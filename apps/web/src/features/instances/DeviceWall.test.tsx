import type { Instance } from "@terrarium/contract";
import { aKeyFrame } from "@terrarium/sdk/display/testing";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type Locator, page as browserPage, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { firstColumns } from "../../components/list/list-settings.ts";
import { queryClient } from "../../session/client.ts";
import { MeContext } from "../../session/user.ts";
import { applyChange } from "../../shared/instance-cache.ts";
import { FakeSocket } from "../../shared/miniatures/testing/fake-socket.ts";
import { anId, anInstance, anOrganization, aRecipe, manager } from "../../testing/factories.ts";
import { aPage, type Call, fakeService } from "../../testing/fake-service.ts";
import { InTestApp, testCache } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import { recentRecipes } from "../recipes/recent-recipes.ts";
import { deviceList } from "./device-list.tsx";
import LaunchpadPage from "./LaunchpadPage.tsx";
import { MAX_WAIT_MS } from "./use-growth.ts";

const tomasz = { uuid: anId(), email: "t@demo.test", first_name: "Tomasz", last_name: "Wójcik" };

beforeEach(async () => {
  deviceList.settings.write({ columns: firstColumns(deviceList), filters: {} });
  recentRecipes.write([]);
  queryClient.clear();
  await browserPage.viewport(1440, 900);
});

/** The launchpad with these devices, and the sockets that look at them. */
async function open(rows: Instance[], { address = "/?view=shelf", answers = {} } = {}) {
  const service = fakeService({
    "GET /v2/instances": () => aPage(rows),
    "GET /v1/organizations/:uuid": () => anOrganization(),
    "POST /v1/instances/access-token": () => ({ access_token: "t", expires_at: "2030-01-01T00:00:00Z" }),
    ...answers,
  });
  const sockets: FakeSocket[] = [];
  const Socket = class extends FakeSocket {
    constructor(url: string) {
      super(url);
      sockets.push(this);
      queueMicrotask(() => this.open());
    }
  };
  vi.stubGlobal("WebSocket", Socket);
  const client = testCache();
  const screen = await render(
    <InTestApp address={address} client={client}>
      <MeContext.Provider value={manager}>
        <LaunchpadPage />
      </MeContext.Provider>
    </InTestApp>,
  );
  const looking = () => sockets.filter(({ readyState }) => readyState === 1).length;
  return { screen, client, service, sockets, looking };
}

const device = (name: string, more: Partial<Instance> = {}) =>
  anInstance({ name, state: "ONLINE", miniature_url: `wss://here.test/${name}/miniature`, ...more });

function hidePage(isHidden: boolean) {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(isHidden ? "hidden" : "visible");
  onTestFinished(() => void vi.restoreAllMocks());
  document.dispatchEvent(new Event("visibilitychange"));
}

describe("the shelf of devices", () => {
  it("shows each device with its name, its state and what it shows now", async () => {
    const { screen, sockets } = await open([device("one"), device("two", { state: "BOOTING" })]);
    await expect.element(screen.getByRole("link", { name: "Open one" })).toBeVisible();
    await expect.element(screen.getByRole("listitem").filter({ hasText: "two" }).getByText("Booting")).toBeVisible();
    await expect.poll(() => sockets.map(({ url }) => url)).toEqual(["wss://here.test/one/miniature"]);
    await expect.poll(() => sockets[0]?.sent.at(-1)).toBe("next");
    sockets[0]?.show(aKeyFrame("red"));
    const canvas = () => document.querySelector("canvas");
    await expect.poll(() => [canvas()?.width, canvas()?.height]).toEqual([32, 48]);
    expect(nameless(document.body)).toEqual([]);
  });

  it("looks at nothing while the page is hidden", async () => {
    const { screen, service, sockets, looking } = await open([device("one")]);
    await expect.element(screen.getByRole("link", { name: "Open one" })).toBeVisible();
    await expect.poll(looking).toBe(1);
    hidePage(true);
    await expect.poll(looking).toBe(0);
    hidePage(false);
    await expect.poll(looking).toBe(1);
    expect([sockets.length, service.to("POST", /access-token/).length]).toEqual([2, 2]);
  });

  it("looks away while a device is saved, and looks again when it is back online", async () => {
    const one = device("one");
    const { client, sockets, looking } = await open([one]);
    await expect.poll(looking).toBe(1);
    const change = (state: Instance["state"], revision: number) =>
      applyChange(client, { ...one, owner_uuid: one.owner.uuid, state, revision });
    change("SAVING", one.revision + 1);
    await expect.poll(looking).toBe(0);
    change("ONLINE", one.revision + 2);
    await expect.poll(looking).toBe(1);
    expect(sockets).toHaveLength(2);
  });

  it("looks only at what is in sight", async () => {
    const { sockets, looking } = await open(Array.from({ length: 30 }, (_, index) => device(`d${index}`)));
    await expect.poll(() => document.querySelectorAll("canvas").length).toBe(30);
    await expect.poll(looking).toBeGreaterThan(0);
    expect(looking()).toBeLessThanOrEqual(20);
    document.querySelectorAll("canvas")[29]?.scrollIntoView();
    await expect.poll(() => sockets.at(-1)?.url).toContain("/d29/");
    await expect.poll(() => sockets[0]?.readyState).toBe(3);
    expect(looking()).toBeLessThanOrEqual(20);
  });

  it("looks at nothing when it is left for the table, and remembers which it is", async () => {
    const { screen, looking } = await open([device("one")]);
    await expect.poll(looking).toBe(1);
    await screen.getByRole("button", { name: "Table" }).click();
    await expect.element(screen.getByRole("row", { name: /one/ })).toBeVisible();
    await expect.poll(looking).toBe(0);
    await screen.getByRole("button", { name: "Shelf" }).click();
    expect(deviceList.settings.read().filters).toMatchObject({ view: "shelf" });
  });

  it("asks for a page of a hundred, and keeps the view when filters are cleared", async () => {
    const { screen, service } = await open([], {
      address: "/?view=shelf&state=ended",
      answers: { "GET /v2/instances": ({ query }: Call) => aPage(query.has("state") ? [] : [device("one")]) },
    });
    await screen.getByRole("button", { name: "Clear the filter" }).click();
    await expect.element(screen.getByRole("link", { name: "Open one" })).toBeVisible();
    const asked = service.to("GET", /^\/v2\/instances$/).map(({ query }) => query.get("page_size"));
    expect(new Set(asked)).toEqual(new Set(["100"]));
  });

  it("draws a colleague's device, and looks at it only with words", async () => {
    const { screen, sockets } = await open([device("theirs", { owner: tomasz })]);
    await screen.getByRole("button", { name: "Open theirs" }).click();
    await expect.element(screen.getByRole("dialog", { name: /^theirs belongs to Tomasz/ })).toBeVisible();
    expect(sockets).toEqual([]);
  });

  it("dims the last picture of a device that is going", async () => {
    const { screen } = await open([device("one", { state: "STOPPING" })]);
    await expect.element(screen.getByRole("link", { name: "Open one" })).toBeVisible();
    expect(document.querySelector("canvas")?.style.opacity).toBe("0.4");
  });

  it("lets one peek at a device, with one look for both pictures", async () => {
    const { screen, sockets } = await open([device("one")]);
    await userEvent.hover(screen.getByRole("link", { name: "Open one" }));
    await expect.element(screen.getByRole("tooltip")).toBeVisible();
    await expect.poll(() => document.querySelectorAll("canvas").length).toBe(2);
    sockets[0]?.show(aKeyFrame("blue"));
    await expect.poll(() => [...document.querySelectorAll("canvas")].map(({ width }) => width)).toEqual([32, 32]);
    expect(sockets).toHaveLength(1);
  });

  const focused = () => document.activeElement;
  const focusOn = async (locator: Locator) => {
    await expect.element(locator).toBeVisible();
    (locator.element() as HTMLElement).focus();
  };
  const names = ["one", "two", "three", "four", "five", "six", "seven"];

  it("is one stop of the Tab key, and then the controls of its place", async () => {
    const { screen } = await open([device("one"), device("two")]);
    await focusOn(screen.getByRole("link", { name: "Open two" }));
    const stops = [...document.querySelectorAll<HTMLElement>("li a, li button, li input")];
    expect(
      stops.filter(({ tabIndex }) => tabIndex === 0).every((stop) => stop.closest("li")?.textContent?.includes("two")),
    ).toBe(true);
    await userEvent.keyboard("{Tab}");
    expect(focused()).toHaveAccessibleName("Select two");
    await userEvent.keyboard("{Tab}");
    expect(focused()).toHaveAccessibleName("Display two in a new tab");
    await userEvent.keyboard("{ArrowLeft}");
    expect(focused()).toHaveAccessibleName("Open one");
  });

  it("is walked with the arrows: side by side, up and down, to both ends, and no further", async () => {
    const { screen } = await open(names.map((name) => device(name)));
    const tops = () => [...document.querySelectorAll<HTMLElement>("li")].map(({ offsetTop }) => offsetTop);
    await focusOn(screen.getByRole("link", { name: "Open one" }));
    const columns = tops().filter((top) => top === tops()[0]).length;
    expect(columns).toBeGreaterThan(2);
    for (const [key, at] of [
      ["ArrowLeft", 0],
      ["ArrowUp", 0],
      ["ArrowRight", 1],
      ["ArrowDown", 1 + columns],
      ["ArrowUp", 1],
      ["End", 6],
      ["ArrowRight", 6],
      ["ArrowDown", 6],
      ["Home", 0],
      // The browser's own.
      ["Control>}{ArrowRight}{/Control", 0],
    ] as const) {
      await userEvent.keyboard(`{${key}}`);
      expect(focused()).toHaveAccessibleName(`Open ${names[at]}`);
    }
  });

  it("selects with Space, and with Shift up to there, for what the table does with several", async () => {
    const { screen, service } = await open(
      ["one", "two", "three"].map((name) => device(name)),
      {
        answers: { "POST /v1/instances/:uuid/stop-disposable": () => device("one", { state: "STOPPING" }) },
      },
    );
    await focusOn(screen.getByRole("link", { name: "Open one" }));
    await userEvent.keyboard(" ");
    await expect.element(screen.getByRole("checkbox", { name: "Select one" })).toBeChecked();
    await expect.element(screen.getByText("1 selected")).toBeVisible();
    await userEvent.keyboard("{ArrowRight}{ArrowRight}{Shift>} {/Shift}");
    await expect.element(screen.getByText("3 selected")).toBeVisible();
    await screen.getByRole("checkbox", { name: "Select two" }).click();
    await screen.getByRole("button", { name: "Stop devices" }).click();
    await screen.getByRole("dialog").getByRole("button", { name: "Stop 2 devices" }).click();
    await expect.poll(() => service.to("POST", /stop-disposable/).length).toBe(2);
    await expect.element(screen.getByRole("checkbox", { name: "Select one" })).not.toBeChecked();
  });

  it("presses with Space what can be done with a device, and selects nothing", async () => {
    const { screen } = await open([device("one")]);
    await focusOn(screen.getByRole("button", { name: /^Stop/ }));
    await userEvent.keyboard(" ");
    await expect.element(screen.getByRole("dialog")).toBeVisible();
    expect(screen.getByText("1 selected").query()).toBeNull();
  });

  it("opens a device with Enter, and lists what can be done with it", async () => {
    const { screen } = await open([device("one"), device("theirs", { owner: tomasz })]);
    await focusOn(screen.getByRole("link", { name: "Open one" }));
    await userEvent.keyboard("{Shift>}{F10}{/Shift}");
    await expect.element(screen.getByRole("menu", { name: "More actions for one" })).toBeVisible();
    await userEvent.keyboard("{Escape}");
    await expect.poll(focused).toHaveAccessibleName("Open one");
    await userEvent.keyboard("{ArrowRight} ");
    await expect.element(screen.getByRole("checkbox", { name: "Select theirs" })).toBeChecked();
    expect(screen.getByRole("dialog").query()).toBeNull();
    await userEvent.keyboard("{Enter}");
    await expect.element(screen.getByRole("dialog", { name: /^theirs belongs to Tomasz/ })).toBeVisible();
  });

  it("keeps the focus when the device that has it leaves", async () => {
    const rows = ["one", "two", "three"].map((name) => device(name));
    const { screen } = await open(rows);
    await focusOn(screen.getByRole("link", { name: "Open two" }));
    rows.splice(1, 1);
    const refresh = screen.getByRole("button", { name: "Refresh" }).element();
    refresh.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    await expect.poll(focused).toHaveAccessibleName("Open three");
  });

  it("is where a device comes alive that was started from the empty launchpad", async () => {
    const rows: Instance[] = [];
    const recipe = aRecipe({ name: "Phone" });
    const { screen } = await open(rows, {
      address: "/",
      answers: {
        "GET /v3/recipes": ({ query }: Call) => aPage(query.get("form_factor") === "PHONE" ? [recipe] : []),
        "POST /v1/recipes/:uuid/start-disposable": () => {
          rows.push(device("phone", { state: "CREATING" }));
          return rows[0];
        },
      },
    });
    const named = () =>
      [...document.querySelectorAll<HTMLElement>("li *")].filter(({ style }) => style.viewTransitionName).length;
    const seen: number[] = [];
    const { startViewTransition } = document;
    // However slow this machine is, the page waits for the device.
    const { setTimeout } = globalThis;
    vi.spyOn(globalThis, "setTimeout").mockImplementation(((act: () => void, ms?: number) =>
      ms === MAX_WAIT_MS ? 0 : setTimeout(act, ms)) as typeof setTimeout);
    vi.spyOn(document, "startViewTransition").mockImplementation((update) => {
      seen.push(named());
      return startViewTransition.call(document, async () => {
        await (update as () => Promise<void>)();
        seen.push(named(), screen.getByRole("link", { name: "Open phone" }).elements().length);
      });
    });
    onTestFinished(() => void vi.restoreAllMocks());
    await screen.getByRole("button", { name: /^Start Phone/ }).click();
    await expect.element(screen.getByRole("link", { name: "Open phone" })).toBeVisible();
    await expect.element(screen.getByRole("button", { name: "Shelf", pressed: true })).toBeVisible();
    // It grows out of the case that was pressed, and into the one where it is.
    expect(seen).toEqual([1, 1, 1]);
  });
});
