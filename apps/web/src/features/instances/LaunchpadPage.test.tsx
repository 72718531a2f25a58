import type { Instance, InstanceChange } from "@terrarium/contract";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page as browserPage, userEvent } from "vitest/browser";
import { useLocation } from "react-router";
import { render } from "vitest-browser-react";
import { applyChange, instanceKeys } from "../../shared/instance-cache.ts";
import { newDevices } from "../../shared/new-devices.ts";
import { type Me, MeContext } from "../../session/user.ts";
import { dateTime } from "../../components/dates.ts";
import { firstColumns } from "../../components/list/list-settings.ts";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { Snacks } from "../../components/Snacks.tsx";
import { anId, anInstance, anOrganization, aRecipe, guest, manager, managerId, user } from "../../testing/factories.ts";
import { aPage, type Call, fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp, testCache } from "../../testing/InTestApp.tsx";
import { typeAtOnce } from "../../testing/type-at-once.ts";
import { nameless } from "../../testing/names.ts";
import { deviceList } from "./device-list.tsx";
import { hideStopReminder } from "./StopReminder.tsx";
import LaunchpadPage from "./LaunchpadPage.tsx";
import { recentRecipes } from "../recipes/recent-recipes.ts";

const others = { uuid: anId(), email: "t@demo.test", first_name: "Tomasz", last_name: "Wójcik" };

beforeEach(async () => {
  deviceList.settings.write({ columns: firstColumns(deviceList), filters: {} });
  deviceList.pageSizePreference.write(10);
  recentRecipes.write([]);
  hideStopReminder.write(false);
  newDevices.clear();
  for (const { id } of readSnacks()) closeSnack(id);
  await browserPage.viewport(1440, 900);
});

interface Given {
  me?: Me;
  address?: string;
  answers?: Parameters<typeof fakeService>[0];
}

const Address = () => {
  const { pathname, search } = useLocation();
  return <span data-testid="address">{pathname + search}</span>;
};

async function open(rows: Instance[], { me = manager, answers = {}, address = "/" }: Given = {}) {
  const service = fakeService({
    "GET /v2/instances": () => aPage(rows),
    "GET /v1/organizations/:uuid": () => anOrganization(),
    "GET /v3/recipes": () => aPage([]),
    "POST /v1/instances/:uuid/stop-disposable": () => ({ ...rows[0], state: "STOPPING" }),
    ...answers,
  });
  const cache = testCache();
  const screen = await render(
    <InTestApp client={cache} address={address}>
      <MeContext.Provider value={me}>
        <LaunchpadPage />
        <Snacks />
        <Address />
      </MeContext.Provider>
    </InTestApp>,
  );
  const hear = (change: Partial<InstanceChange> & { uuid: string }) => {
    const event = { ...anInstance(), owner_uuid: managerId, revision: 9, ...change } as InstanceChange;
    if (!applyChange(cache, event)) newDevices.hear(event);
  };
  return { screen, service, hear, cache, lists: () => service.to("GET", /^\/v2\/instances$/) };
}

describe("the launchpad", () => {
  it("asks first for the organization's devices, the newest change first", async () => {
    const { screen, lists } = await open([anInstance({ name: "one" })]);
    await expect.element(screen.getByRole("row", { name: /one/ })).toBeVisible();
    expect(Object.fromEntries(lists()[0]?.query ?? [])).toMatchObject({
      organization_wide: "true",
      ordering: "-updated_at",
      page: "1",
      page_size: "10",
    });
    const heads = screen.getByRole("columnheader").elements().slice(1);
    expect(heads.map((head) => head.textContent)).toEqual([
      "Name",
      "State",
      "ID",
      "Recipe",
      "Owner",
      "Updated",
      "Actions",
    ]);
    expect(nameless()).toEqual([]);
  });

  it("shows a change of a known device without asking again, and no older one", async () => {
    const device = anInstance({ name: "one", state: "BOOTING", revision: 4 });
    const { screen, hear, lists } = await open([device]);
    const row = screen.getByRole("row", { name: /one/ });
    await expect.element(row.getByText("Booting")).toBeVisible();
    hear({ uuid: device.uuid, name: "one", state: "ONLINE", revision: 5 });
    await expect.element(row.getByText("Online")).toBeVisible();
    hear({ uuid: device.uuid, name: "one", state: "STARTING", revision: 3 });
    await expect.element(row.getByText("Online")).toBeVisible();
    expect(lists().length).toBe(1);
  });

  it.each([1440, 390])("counts down to a stop that was announced, or that is near, at %i pixels", async (width) => {
    await browserPage.viewport(width, 900);
    const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000 - 5_000).toISOString();
    const device = (name: string, minutes: number | null, stops_because: Instance["stops_because"]) =>
      anInstance({ name, state: "ONLINE", stops_at: minutes === null ? null : inMinutes(minutes), stops_because });
    const { screen } = await open([
      device("announced", 8, "minutes_used_up"),
      device("extended", 70, "budget_used_up"),
      device("near", 10, "inactivity"),
      device("far", 11, "inactivity"),
      device("never", null, null),
    ]);
    await expect.element(screen.getByText("announced", { exact: true })).toBeVisible();
    for (const words of ["stops in 8 min", "stops in 70 min", "stops in 10 min"])
      await expect.element(screen.getByText(words)).toBeVisible();
    expect(screen.getByText(/stops in/).elements()).toHaveLength(3);
  });

  it("does not let a device wait that came with an answer which its event overtook", async () => {
    const row = anInstance({ name: "one" });
    const answers = {
      "GET /v2/instances": () => {
        newDevices.hear({ ...row, owner_uuid: managerId });
        return aPage([row]);
      },
    };
    const { screen } = await open([], { answers });
    await expect.element(screen.getByRole("row", { name: /one/ })).toBeVisible();
    await expect.element(screen.getByRole("button", { name: "Refresh" })).toBeVisible();
  });

  it("lets an unknown device wait behind the refresh button", async () => {
    const rows = [anInstance({ name: "one" })];
    const { screen, hear, lists } = await open(rows);
    await expect.element(screen.getByRole("button", { name: "Refresh" })).toBeVisible();
    const later = anInstance({ name: "two" });
    hear({ ...later, state: "CREATING" });
    await expect.element(screen.getByRole("button", { name: "New data: 1 device" })).toBeVisible();
    rows.unshift(later);
    await screen.getByRole("button", { name: "New data: 1 device" }).click();
    await expect.element(screen.getByRole("row", { name: /two/ })).toHaveAttribute("data-fresh");
    await expect.element(screen.getByRole("button", { name: "Refresh" })).toBeVisible();
    expect(lists().length).toBe(2);
  });

  it("takes what ended off the page once it was seen to end", async () => {
    const rows = [anInstance({ name: "one" })];
    const { screen, hear } = await open(rows);
    await expect.element(screen.getByRole("row", { name: /one/ })).toBeVisible();
    const [device] = rows.splice(0);
    hear({ ...device, uuid: device?.uuid ?? "", state: "DELETED", revision: 9 });
    await expect.element(screen.getByText("Offline")).toBeVisible();
    await expect.element(screen.getByText("There is nothing to start yet")).toBeVisible();
  });

  it("shows side by side what was chosen, two running devices of one’s own or more", async () => {
    const rows = [
      anInstance({ name: "one" }),
      anInstance({ name: "two" }),
      anInstance({ name: "three", state: "ERROR" }),
    ];
    const { screen } = await open(rows);
    const button = screen.getByRole("button", { name: "Side by side" });
    await screen.getByRole("checkbox", { name: "Select one" }).click();
    await screen.getByRole("checkbox", { name: "Select three" }).click();
    expect(button.query()).toBeNull();
    await screen.getByRole("checkbox", { name: "Select two" }).click();
    await button.click();
    const [one, two] = rows;
    const address = screen.getByTestId("address");
    await expect.element(address).toHaveTextContent(`/devices/side-by-side?ids=${one?.uuid},${two?.uuid}`);
  });

  it("stops what was chosen, one call for each, after asking", async () => {
    const { screen, service } = await open([
      anInstance({ name: "one" }),
      anInstance({ name: "two" }),
      anInstance({ name: "three" }),
    ]);
    await screen.getByRole("checkbox", { name: "Select one" }).click();
    await screen.getByRole("checkbox", { name: "Select two" }).click();
    await screen.getByRole("button", { name: "Stop devices" }).click();
    const dialog = screen.getByRole("dialog", { name: "Stop 2 devices?" });
    await expect.element(dialog.getByText("What changed on them since they started is lost.")).toBeVisible();
    await expect.element(dialog.getByRole("button", { name: "Cancel" })).toHaveFocus();
    await dialog.getByRole("button", { name: "Stop 2 devices" }).click();
    await expect.element(screen.getByRole("status")).toHaveTextContent("Stopping 2 devices");
    expect(service.to("POST", /stop-disposable$/).length).toBe(2);
    expect(readSnacks()).toEqual([]);
  });

  it("forgets what was chosen when the filter hides it", async () => {
    const { screen } = await open([anInstance({ name: "one" })], {
      answers: {
        "GET /v2/instances": ({ query }: Call) => aPage(query.get("search") ? [] : [anInstance({ name: "one" })]),
      },
    });
    const tick = screen.getByRole("checkbox", { name: "Select one" });
    await tick.click();
    await expect.element(screen.getByText("1 selected")).toBeVisible();
    const filter = screen.getByRole("textbox", { name: /Filter/ });
    await filter.fill("zzz");
    await expect.element(screen.getByText(/No devices match/)).toBeVisible();
    await expect.element(screen.getByRole("checkbox", { name: "Select all rows" })).not.toBePartiallyChecked();
    await filter.fill("");
    await expect.element(tick).not.toBeChecked();
  });

  it("tells of one device what it is before stopping it, and what went wrong", async () => {
    const device = anInstance({ name: "one", owner: { ...others, first_name: "", last_name: "" } });
    const { screen } = await open([device], {
      answers: { "POST /v1/instances/:uuid/stop-disposable": refuse("INTERNAL_ERROR") },
    });
    await screen.getByRole("button", { name: "Stop one" }).click();
    const dialog = screen.getByRole("dialog", { name: "Stop one?" });
    await expect.element(dialog.getByText(device.uuid)).toBeVisible();
    await expect.element(dialog.getByText("t@demo.test")).toBeVisible();
    await dialog.getByRole("button", { name: "Stop device" }).click();
    await expect.element(screen.getByText("The device could not be stopped.")).toBeVisible();
  });

  it("says that a device is gone when the service does not know it", async () => {
    const { screen, lists } = await open([anInstance({ name: "one" })], {
      answers: { "POST /v1/instances/:uuid/stop-disposable": refuse("INSTANCE_NOT_FOUND") },
    });
    await screen.getByRole("button", { name: "Stop one" }).click();
    await screen.getByRole("button", { name: "Stop device" }).click();
    await expect.element(screen.getByText("Device not found.")).toBeVisible();
    await expect.poll(() => lists().length).toBe(2);
  });

  it("shows and keeps the columns that were chosen; the locked ones cannot be", async () => {
    const { screen } = await open([anInstance({ name: "one" })]);
    await screen.getByRole("button", { name: "Columns" }).click();
    await expect.element(screen.getByRole("checkbox", { name: "Name", exact: true })).toBeDisabled();
    await screen.getByRole("checkbox", { name: "Owner" }).click();
    await screen.getByRole("checkbox", { name: "Idle timeout" }).click();
    await screen.getByRole("button", { name: "Apply" }).click();
    await expect.element(screen.getByRole("columnheader", { name: "Owner" })).not.toBeInTheDocument();
    await expect.element(screen.getByRole("gridcell", { name: "2 hours" })).toBeVisible();
    expect(localStorage.getItem("vd.pref.active-devices-table")).toContain('"VDTimeout"');
  });

  it("lets a manager look at their own devices only, and remembers it", async () => {
    const { screen, lists } = await open([anInstance({ name: "one" })]);
    await screen.getByRole("button", { name: "My devices" }).click();
    await expect.poll(() => lists().at(-1)?.query.get("organization_wide")).toBe("false");
    expect(deviceList.settings.read().filters).toEqual({ whose: "mine" });
  });

  it("shows users their own devices without a choice", async () => {
    const { screen, lists } = await open([anInstance({ name: "one" })], { me: user });
    await expect.element(screen.getByRole("row", { name: /one/ })).toBeVisible();
    await expect.element(screen.getByRole("button", { name: "Organization" })).not.toBeInTheDocument();
    expect(lists()[0]?.query.get("organization_wide")).toBe("false");
  });

  it("asks nothing of an organization for a guest", async () => {
    const { screen, service } = await open([anInstance({ name: "one" })], { me: guest });
    await expect.element(screen.getByRole("row", { name: /one/ })).toBeVisible();
    expect(service.to("GET", /organizations/)).toEqual([]);
  });

  it("reminds a guest who started a device of when it ends, until they had enough of it", async () => {
    const timeouts = { inactivity: 30, global: 60 };
    const { screen } = await open([], {
      me: guest,
      answers: {
        "GET /v3/recipes": () => aPage([aRecipe({ name: "First" })]),
        "POST /v1/recipes/:uuid/start-disposable": () => anInstance({ name: "mine", timeouts }),
      },
    });
    const start = async () => {
      await screen.getByRole("button", { name: "Start device" }).first().click();
      await expect.element(screen.getByRole("option", { name: /First/ })).toBeVisible();
      await userEvent.keyboard("{Enter}");
      await expect.element(screen.getByRole("dialog", { name: "Start a device" })).not.toBeInTheDocument();
    };
    await start();
    await expect.element(screen.getByText(/30 minutes without use, and after 1 hour at the latest/)).toBeVisible();
    await screen.getByRole("checkbox", { name: "Do not show this again" }).click();
    await screen.getByRole("button", { name: "Continue" }).click();
    await start();
    await expect.element(screen.getByRole("dialog")).not.toBeInTheDocument();
  });

  it("filters by state, and counts only new devices in it", async () => {
    const { screen, hear, lists } = await open([], {
      answers: {
        "GET /v2/instances": ({ query }: Call) => aPage(query.has("state") ? [] : [anInstance({ name: "one" })]),
      },
    });
    await expect.element(screen.getByRole("row", { name: /one/ })).toBeVisible();
    await screen.getByRole("combobox", { name: "State" }).click();
    await screen.getByRole("option", { name: "Ending" }).click();
    await expect.element(screen.getByText("No devices in this state")).toBeVisible();
    await expect.element(screen.getByText("You are looking at this state: Ending.")).toBeVisible();
    expect(lists().at(-1)?.query.getAll("state")).toEqual(["SAVING", "SAVED", "STOPPING"]);
    hear({ uuid: anId(), state: "ONLINE" });
    await expect.element(screen.getByRole("button", { name: "Refresh" })).toBeVisible();
    hear({ uuid: anId(), state: "STOPPING" });
    await expect.element(screen.getByRole("button", { name: "New data: 1 device" })).toBeVisible();
    await screen.getByRole("button", { name: "Clear the filter" }).click();
    await expect.element(screen.getByRole("row", { name: /one/ })).toBeVisible();
  });

  it("takes the state that is looked for from the address", async () => {
    const { lists } = await open([anInstance()], { address: "/?state=online" });
    await expect.poll(() => lists()[0]?.query.getAll("state")).toEqual(["ONLINE"]);
  });

  it("dismisses all that was chosen and has ended", async () => {
    const { screen, service } = await open(
      [
        anInstance({ name: "one", state: "ERROR" }),
        anInstance({ name: "two", state: "EXPIRED" }),
        anInstance({ name: "three" }),
      ],
      { answers: { "POST /v1/instances/:uuid/dismiss": refuse("INTERNAL_ERROR") } },
    );
    await screen.getByRole("checkbox", { name: "Select all rows" }).click();
    await expect.element(screen.getByRole("button", { name: "Stop device" })).toBeVisible();
    await screen.getByRole("button", { name: "Dismiss 2 devices" }).click();
    await expect.element(screen.getByText("2 devices could not be dismissed.")).toBeVisible();
    expect(service.to("POST", /dismiss$/).length).toBe(2);
  });

  it("opens the dialog for saving a device, and shows how far that is", async () => {
    const device = anInstance({ name: "one" });
    const { screen, hear } = await open([device, anInstance({ name: "two", state: "BOOTING" })]);
    await expect
      .element(screen.getByRole("button", { name: "Save two" }))
      .toHaveAttribute("aria-description", "This virtual device is not online. Only one that is can be saved.");
    await screen.getByRole("button", { name: "Save one" }).click();
    await expect.element(screen.getByRole("dialog", { name: "Save one" })).toBeVisible();
    await userEvent.keyboard("{Escape}");
    const save = { action: "save_as", recipe_uuid: anId(), progress: 42, error: null } as const;
    hear({ uuid: device.uuid, name: "one", state: "SAVING", save });
    await expect.element(screen.getByRole("row", { name: /one/ }).getByText("Saving 42 %")).toBeVisible();
  });

  it("says that devices did not load, and tries again", async () => {
    let isDown = true;
    const { screen } = await open([], {
      answers: {
        "GET /v2/instances": () => (isDown ? refuse("INTERNAL_ERROR")() : aPage([anInstance({ name: "one" })])),
      },
    });
    await expect.element(screen.getByRole("alert").getByText("Devices did not load. They keep running.")).toBeVisible();
    expect(readSnacks()).toEqual([]);
    isDown = false;
    await screen.getByRole("button", { name: "Try again" }).click();
    await expect.element(screen.getByRole("row", { name: /one/ })).toBeVisible();
    await expect.element(screen.getByRole("alert")).not.toBeInTheDocument();
  });

  it("filters from the keyboard, once the keys rest, and says when nothing matches", async () => {
    const rows = [anInstance({ name: "one" })];
    const { screen, lists } = await open([], {
      answers: { "GET /v2/instances": ({ query }: Call) => aPage(query.get("search") ? [] : rows) },
    });
    await expect.element(screen.getByRole("row", { name: /one/ })).toBeVisible();
    await userEvent.keyboard("/");
    const filter = screen.getByRole("textbox", { name: /Filter/ });
    await expect.element(filter).toHaveFocus();
    typeAtOnce(filter.element() as HTMLInputElement, "z", "zz");
    await expect.element(screen.getByText("No devices match “zz”")).toBeVisible();
    expect(lists().map(({ query }) => query.get("search"))).toEqual([null, "zz"]);
  });

  it("lists its keys", async () => {
    const { screen } = await open([anInstance({ name: "one" })]);
    await expect.element(screen.getByRole("row", { name: /one/ })).toBeVisible();
    await userEvent.keyboard("?");
    await expect.element(screen.getByRole("dialog", { name: "Keys" })).toBeVisible();
  });

  it("shows cards on a phone", async () => {
    await browserPage.viewport(390, 844);
    const { screen } = await open([anInstance({ name: "one" })]);
    await expect.element(screen.getByRole("list", { name: "Devices" }).getByText("one")).toBeVisible();
    await screen.getByRole("button", { name: "More actions for one" }).click();
    await screen.getByRole("menuitem", { name: "Stop device" }).click();
    await expect.element(screen.getByRole("dialog", { name: "Stop one?" })).toBeVisible();
    expect(document.documentElement.scrollWidth).toBe(document.documentElement.clientWidth);
  });

  it("leads from a device's menu to all that is known of it, whosever it is", async () => {
    await browserPage.viewport(390, 844);
    const device = anInstance({ name: "theirs", owner: others, state: "ERROR" });
    const { screen } = await open([device]);
    await screen.getByRole("button", { name: "More actions for theirs" }).click();
    await expect
      .element(screen.getByRole("menuitem", { name: "Details" }))
      .toHaveAttribute("href", `/device/${device.uuid}`);
  });

  it("says whose limit it is", async () => {
    const { screen } = await open([anInstance()], { me: user });
    await expect.element(screen.getByText("3 of 10 running in Northwind Mobile")).toBeVisible();
  });

  it("says how long ago devices changed, and exactly when on asking", async () => {
    const { screen } = await open([anInstance({ name: "one", updated_at: "2026-03-05T14:00:00.000Z" })]);
    const time = screen.getByRole("row", { name: /one/ }).getByText(/ ago$/);
    await expect.element(time).toHaveAttribute("title", dateTime("2026-03-05T14:00:00.000Z", ""));
  });

  it("tells a manager who opens a colleague's device whose it is, and offers to stop it", async () => {
    const device = anInstance({ name: "theirs", owner: others });
    const { screen, service } = await open([device]);
    await screen.getByText("theirs", { exact: true }).dblClick();
    const dialog = screen.getByRole("dialog", { name: "theirs belongs to Tomasz Wójcik" });
    await expect
      .element(dialog.getByRole("link", { name: "Message the owner" }))
      .toHaveAttribute("href", "mailto:t@demo.test?subject=Device%20theirs");
    await dialog.getByRole("button", { name: "Stop device" }).click();
    await expect.poll(() => service.to("POST", /stop-disposable$/).length).toBe(1);
    await expect.element(dialog).not.toBeInTheDocument();
  });

  it("takes a device off the list that its owner dismisses", async () => {
    const rows = [anInstance({ name: "broken", state: "ERROR" })];
    const { screen } = await open(rows, {
      answers: {
        "GET /v2/instances": () => aPage(rows),
        "POST /v1/instances/:uuid/dismiss": () => void rows.splice(0),
      },
    });
    await screen.getByRole("button", { name: "Dismiss broken" }).click();
    await expect.element(screen.getByRole("row", { name: /broken/ })).not.toBeInTheDocument();
    expect(readSnacks()).toEqual([]);
  });

  it("counts anew what the pager says, and moves no row", async () => {
    const rows = [anInstance({ name: "one" })];
    let count = 1;
    const { screen, cache, lists } = await open(rows, { answers: { "GET /v2/instances": () => aPage(rows, count) } });
    await expect.element(screen.getByText("1–1 of 1")).toBeVisible();
    count = 12;
    rows.unshift(anInstance({ name: "two" }));
    await cache.invalidateQueries({ queryKey: instanceKeys.counts });
    await expect.element(screen.getByText("1–10 of 12")).toBeVisible();
    await expect.element(screen.getByRole("row", { name: /two/ })).not.toBeInTheDocument();
    expect(lists().at(-1)?.query.get("page_size")).toBe("1");
  });
});

describe("an empty launchpad", () => {
  const shelf = {
    "GET /v3/recipes": ({ query }: Call) =>
      aPage(
        query.get("form_factor") === "PHONE"
          ? [aRecipe({ name: "Phone, Android 15" })]
          : query.get("form_factor") === "TV"
            ? [aRecipe({ name: "Big TV", hardware: { form_factor: "TV" } })]
            : [],
      ),
    "GET /v2/recipes/:uuid": () => aRecipe({ name: "My own watch", hardware: { form_factor: "WATCH" } }),
  };

  it("is a shelf, and one press starts what stands there", async () => {
    const rows: Instance[] = [];
    const { screen, service } = await open(rows, {
      answers: {
        ...shelf,
        "POST /v1/recipes/:uuid/start-disposable": () => {
          const device = anInstance({ name: "phone-android-15" });
          rows.push(device);
          return device;
        },
      },
    });
    await expect.element(screen.getByRole("button", { name: /^Start Phone, Android 15/ })).toBeVisible();
    await expect.element(screen.getByRole("button", { name: /^Start Big TV/ })).toBeVisible();
    await expect.element(screen.getByRole("textbox", { name: /Filter/ })).not.toBeInTheDocument();
    expect(nameless()).toEqual([]);
    await screen.getByRole("button", { name: /^Start Phone, Android 15/ }).click();
    await expect.element(screen.getByRole("link", { name: "Open", exact: true })).toBeVisible();
    const device = screen.getByRole("listitem").filter({ hasText: "phone-android-15" });
    await expect.element(device).toHaveAttribute("data-fresh");
    expect(service.to("POST", /start-disposable$/)[0]?.body).toMatchObject({ instance_name: "phone-android-15" });
    expect(recentRecipes.read().length).toBe(1);
  });

  it("says that a device waits which was started elsewhere", async () => {
    const rows: Instance[] = [];
    const { screen, hear } = await open(rows, { answers: shelf });
    await expect.element(screen.getByRole("button", { name: /^Start Big TV/ })).toBeVisible();
    const later = anInstance({ name: "two" });
    hear({ ...later, state: "CREATING" });
    rows.push(later);
    await screen.getByRole("button", { name: "New data: 1 device" }).click();
    await expect.element(screen.getByRole("row", { name: /two/ })).toBeVisible();
  });

  it("shows first what was started lately", async () => {
    recentRecipes.write([anId()]);
    const { screen } = await open([], { answers: shelf });
    await expect.element(screen.getByRole("button", { name: /^Start My own watch/ })).toBeVisible();
    expect(
      screen
        .getByRole("list", { name: "Devices to start" })
        .getByRole("button")
        .elements()
        .map((place) => place.querySelector("[title]")?.getAttribute("title")),
    ).toEqual(["My own watch", "Phone, Android 15", "Big TV"]);
  });

  it("says in place why a device could not be started, until it is tried again", async () => {
    const start = vi.fn<() => unknown>(refuse("NO_SLOT_AVAILABLE"));
    const { screen } = await open([], { answers: { ...shelf, "POST /v1/recipes/:uuid/start-disposable": start } });
    await screen.getByRole("button", { name: /^Start Big TV/ }).click();
    await expect.element(screen.getByRole("alert").getByText(/all virtual devices are booked/)).toBeVisible();
    expect(readSnacks()).toEqual([]);
    start.mockImplementation(() => new Promise(() => undefined));
    await screen.getByRole("button", { name: /^Start Big TV/ }).click();
    await expect.element(screen.getByRole("alert")).not.toBeInTheDocument();
  });

  it("says what the limit is when it was reached", async () => {
    const { screen } = await open([], {
      answers: { ...shelf, "POST /v1/recipes/:uuid/start-disposable": refuse("TOO_MANY_RUNNING_VDS") },
    });
    await screen.getByRole("button", { name: /^Start Big TV/ }).click();
    await expect.element(screen.getByRole("dialog", { name: "Device limit reached" })).toBeVisible();
  });

  it("tells a guest what they can do and whom to ask, and offers nothing that leads nowhere", async () => {
    const { screen } = await open([], { me: guest });
    await expect.element(screen.getByText("Nothing is shared with you yet")).toBeVisible();
    await expect.element(screen.getByText(/as soon as somebody shares one/)).toBeVisible();
    await expect.element(screen.getByRole("button", { name: "Start device" })).not.toBeInTheDocument();
  });
});
