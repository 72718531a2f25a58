import { createMemoryRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { userEvent, page as browserPage } from "vitest/browser";
import { render } from "vitest-browser-react";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { common } from "../../en/common.ts";
import { type PageTitle, type RouteRules, routeRules } from "../../session/routes.ts";
import { MeContext } from "../../session/user.ts";
import {
  anId,
  anInstance,
  anOrganization,
  aRecipe,
  aUser,
  guest,
  manager,
  someSettings,
  user,
} from "../../testing/factories.ts";
import { aPage, type Call, fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { Shell } from "../Shell.tsx";
import { readUpdates, updates } from "../../features/updates/updates.ts";
import { recentCommands } from "./recent-commands.ts";

beforeEach(async () => {
  recentCommands.write([]);
  readUpdates.write(updates.map(({ id }) => id));
  await browserPage.viewport(1280, 800);
});

const device = anInstance({ name: "payments-smoke" });
const recipe = aRecipe({ name: "Pixel of payments" });
const zoe = aUser({ email: "zoe@fern.test", first_name: "Zoë", last_name: "Fern" });

async function open({
  me = manager,
  answers = {},
}: { me?: typeof manager; answers?: Record<string, (call: Call) => unknown> } = {}) {
  const service = fakeService({
    "GET /v1/settings": () => someSettings({ has_support: true }),
    "GET /v1/organizations/:uuid": () => anOrganization(),
    "GET /v2/instances": () => aPage([device]),
    "GET /v3/recipes/?": () => aPage([recipe]),
    "GET /v2/users": () => aPage([zoe]),
    ...answers,
  });
  const router = createMemoryRouter(
    [{ Component: Shell, children: [{ path: "*", element: <input aria-label="A field of the page" /> }] }],
    { initialEntries: ["/launchpad"] },
  );
  const shown = await render(
    <InTestApp isRouted={false}>
      <MeContext.Provider value={me}>
        <RouterProvider router={router} />
      </MeContext.Provider>
    </InTestApp>,
  );
  await expect.element(shown.getByRole("button", { name: "Search and commands" })).toBeVisible();
  const field = shown.getByRole("combobox", { name: "Go to, start, find or change" });
  const press = async (key = "{Control>}k{/Control}") => userEvent.keyboard(key);
  const chosen = () => {
    const id = field.element().getAttribute("aria-activedescendant") ?? "";
    return document.getElementById(id)?.textContent;
  };
  const at = () => router.state.location.pathname + router.state.location.search;
  return {
    shown,
    service,
    field,
    press,
    chosen,
    at,
    option: (name: string | RegExp) => shown.getByRole("option", { name }),
  };
}

describe("the palette", () => {
  it("opens by its key, also while one types, takes the focus, and gives it back when Escape closes it", async () => {
    const { shown, field, press } = await open();
    const page = shown.getByLabelText("A field of the page");
    await page.click();
    await press();
    await expect.element(field).toHaveFocus();
    await expect.element(shown.getByRole("dialog", { name: "Commands" })).toBeVisible();
    await userEvent.keyboard("{Escape}");
    await expect.element(field).not.toBeInTheDocument();
    await expect.element(page).toHaveFocus();
  });

  it("leaves other keys to the browser, and opens above no dialog", async () => {
    const { shown, field, press } = await open();
    const listened: boolean[] = [];
    const listen = (event: KeyboardEvent) => event.key.toLowerCase() === "k" && listened.push(event.defaultPrevented);
    document.addEventListener("keydown", listen);
    onTestFinished(() => document.removeEventListener("keydown", listen));
    await press("{Control>}{Shift>}k{/Shift}{/Control}");
    await press("{Control>}{Alt>}k{/Alt}{/Control}");
    await press("k");
    await expect.element(field).not.toBeInTheDocument();
    await shown.getByRole("button", { name: "Account" }).click();
    await expect.element(shown.getByRole("menu")).toBeVisible();
    await press();
    await expect.element(field).not.toBeInTheDocument();
    // Not even then does the browser's own search open.
    expect(listened).toEqual([false, false, false, true]);
  });

  it("opens by a button on a phone", async () => {
    await browserPage.viewport(390, 844);
    const { shown, field } = await open();
    await shown.getByRole("button", { name: "Search and commands" }).click();
    await expect.element(field).toHaveFocus();
  });

  it("goes to a screen with arrows and Enter, telling which is chosen", async () => {
    const { field, press, chosen, at } = await open();
    await press();
    await field.fill("harwr");
    await expect.poll(chosen).toContain("Hardware profiles");
    await expect.element(field).toHaveAttribute("aria-expanded", "true");
    await userEvent.keyboard("{Enter}");
    await expect.poll(at).toBe("/hardware-profiles");
    await expect.element(field).not.toBeInTheDocument();
  });

  it("goes round with the arrows, in the order that is shown", async () => {
    const { shown, press, field, chosen } = await open();
    await press();
    await field.fill("pay");
    await expect.element(shown.getByRole("option", { name: "Start Pixel of payments arm64" })).toBeVisible();
    const titles = shown
      .getByRole("option")
      .elements()
      .map((each) => each.textContent);
    const met: (string | null | undefined)[] = [];
    for (const title of titles) {
      await expect.poll(chosen).toBe(title);
      met.push(chosen());
      await userEvent.keyboard("{ArrowDown}");
    }
    expect(met).toEqual(titles);
    await expect.poll(chosen).toBe(titles[0]);
    await userEvent.keyboard("{ArrowUp}");
    await expect.poll(chosen).toBe(titles.at(-1));
  });

  it("goes further with the page keys, to what is pointed at, and back to the first when one types", async () => {
    const { press, field, option, chosen } = await open();
    await press();
    await expect.element(option(/payments-smoke/)).toBeVisible();
    const first = chosen();
    await userEvent.keyboard("{PageDown}");
    const further = chosen();
    expect(further).not.toBe(first);
    await userEvent.keyboard("{PageUp}{PageUp}");
    await expect.poll(chosen).toBe(first);
    await option("Sign out").hover();
    await expect.poll(chosen).toBe("Sign out");
    await field.fill("s");
    await expect.poll(() => field.element().getAttribute("aria-activedescendant")).toMatch(/-0$/);
  });

  it("takes no key of an input method, and no focus from the field when something is pressed", async () => {
    const { press, field, option, at } = await open();
    await press();
    await field.fill("harwr");
    await expect.element(option("Hardware profiles")).toBeVisible();
    const enter = new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true });
    field.element().dispatchEvent(enter);
    expect(at()).toBe("/launchpad");
    const pressed = new MouseEvent("mousedown", { bubbles: true, cancelable: true });
    option("Hardware profiles").element().dispatchEvent(pressed);
    expect(pressed.defaultPrevented).toBe(true);
  });

  it("opens the documentation in a new tab, and no status page where there is none", async () => {
    const { press, field, option } = await open();
    const opened = vi.spyOn(globalThis, "open").mockReturnValue(null);
    onTestFinished(() => opened.mockRestore());
    await press();
    await field.fill("documentation");
    await option("Documentation").click();
    expect(opened.mock.calls).toEqual([["/docs", "_blank", "noopener,noreferrer"]]);
    await press();
    await expect.element(option("Documentation")).toBeVisible();
    expect(option("Status").elements()).toEqual([]);
  });

  it("leads to every screen whose address names nothing, unless it has another way in", async () => {
    const { press, shown } = await open();
    await press();
    const another = ["administration", "sideBySide", "terms", "mailbox", "docs", "status", "oops"];
    const titles = Object.entries<RouteRules>(routeRules).flatMap(([name, { path, ...rules }]) => {
      const isOthers = rules.signedOutOnly || rules.operatorOnly || rules.isDisabled || another.includes(name);
      const title = (rules.title ?? name) as PageTitle;
      return isOthers || path.includes(":") ? [] : common.titles[title];
    });
    const offered = shown
      .getByRole("option")
      .elements()
      .map(({ textContent }) => textContent);
    expect(titles.filter((title) => !offered.includes(title))).toEqual([]);
    expect(titles.length).toBeGreaterThan(15);
  });

  it("finds screens by what their addresses call them", async () => {
    const { press, field, chosen } = await open();
    await press();
    await field.fill("launch");
    await expect.poll(chosen).toBe("Virtual devices");
  });

  it("runs nothing that an earlier search found and that does not answer what is typed now", async () => {
    const never = new Promise<unknown>(() => undefined);
    const { press, field, option, at } = await open({
      answers: {
        "GET /v2/instances": ({ query }: Call) => (query.get("search") === "qqqq" ? never : aPage([device])),
        "GET /v3/recipes/?": ({ query }: Call) => (query.get("search") === "qqqq" ? never : aPage([recipe])),
      },
    });
    await press();
    await field.fill("pay");
    await expect.element(option(/payments-smoke/)).toBeVisible();
    await field.fill("qqqq");
    await userEvent.keyboard("{Enter}");
    await expect.element(option(/payments-smoke/)).not.toBeInTheDocument();
    expect(at()).toBe("/launchpad");
  });

  it("finds devices, recipes to start, and for a manager people", async () => {
    const { press, field, option, at, service } = await open();
    await press();
    await field.fill("pay");
    await expect.element(option(/payments-smoke/)).toBeVisible();
    await expect.element(option("Start Pixel of payments arm64")).toBeVisible();
    await option(/Zoë Fern/).click();
    await expect.poll(at).toBe("/launchpad?whose=organization&search=zoe%40fern.test");
    expect(service.to("GET", /users/)[0]?.query.get("search")).toBe("pay");
  });

  it("tells recipes of one name apart by their architecture", async () => {
    const twins = (["arm64", "x86"] as const).map((arch) => aRecipe({ name: "Pixel of payments", arch }));
    const { press, field, option } = await open({ answers: { "GET /v3/recipes/?": () => aPage(twins) } });
    await press();
    await field.fill("pay");
    await expect.element(option(/Start Pixel of payments\s*arm64/)).toBeVisible();
    await expect.element(option(/Start Pixel of payments\s*x86/)).toBeVisible();
  });

  it("tells whose a colleague's device is", async () => {
    const owner = { uuid: anId(), email: zoe.email, first_name: "Zoë", last_name: "Fern" };
    const { press, field, option } = await open({
      answers: { "GET /v2/instances": () => aPage([anInstance({ name: "payments-theirs", owner })]) },
    });
    await press();
    await field.fill("pay");
    await expect.element(option(/payments-theirs\s*Zoë Fern/)).toBeVisible();
  });

  it.each([
    ["a user", user],
    ["a guest", guest],
  ])("finds no people for %s, and asks for none", async (_, me) => {
    const { press, field, option, service } = await open({ me });
    await press();
    await field.fill("pay");
    await expect.element(option("Start Pixel of payments arm64")).toBeVisible();
    await expect.element(option(/Zoë/)).not.toBeInTheDocument();
    expect(service.to("GET", /users/)).toEqual([]);
  });

  it("leads a guest nowhere that the guard would not let them", async () => {
    const { press, option } = await open({ me: guest });
    await press();
    await expect.element(option("Recipes")).toBeVisible();
    await expect.element(option("OS images")).not.toBeInTheDocument();
  });

  it("remembers what was used, and offers it first the next time", async () => {
    const { shown, press, field, chosen, at } = await open();
    await press();
    await field.fill("api");
    await userEvent.keyboard("{Enter}");
    await expect.poll(at).toBe("/api");
    await press();
    await expect.element(shown.getByRole("group", { name: "Recent" })).toBeVisible();
    await expect.poll(chosen).toContain("API tokens");
  });

  it("changes the theme, and opens the other dialogs in its place", async () => {
    const { shown, press, field } = await open();
    await press();
    await field.fill("dark");
    await userEvent.keyboard("{Enter}");
    await expect.poll(() => document.documentElement.dataset.theme).toBe("dark");
    await press();
    await field.fill("light theme");
    await userEvent.keyboard("{Enter}");
    await press();
    await field.fill("shortcuts");
    await userEvent.keyboard("{Enter}");
    await expect.element(shown.getByRole("dialog", { name: "Keys" })).toBeVisible();
    await expect.element(shown.getByText("Ctrl K")).toBeVisible();
    await expect.element(shown.getByText("Shift Space")).toBeVisible();
    await expect.element(shown.getByText("Save a screenshot to captures")).toBeInTheDocument();
    expect(shown.getByRole("dialog").elements()).toHaveLength(1);
  });

  it("says that nothing matches, and that searching failed", async () => {
    let isDown = false;
    const { shown, press, field } = await open({
      answers: {
        "GET /v2/instances": () => aPage([]),
        "GET /v3/recipes/?": () => (isDown ? refuse("FORBIDDEN")() : aPage([])),
        "GET /v2/users": () => aPage([]),
      },
    });
    await press();
    await field.fill("qqqq");
    const none = shown.getByText(/^Nothing matches/);
    await expect.element(none).toHaveTextContent("Nothing matches “qqqq”.");
    isDown = true;
    await field.fill("qqqqq");
    await expect
      .element(shown.getByRole("alert"))
      .toHaveTextContent("Devices and recipes could not be searched. Screens and commands still can.");
    // Nobody knows that.
    await expect.element(none).not.toBeInTheDocument();
    await expect.element(field).toHaveAttribute("aria-expanded", "false");
  });
});
