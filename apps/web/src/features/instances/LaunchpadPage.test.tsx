import type { Instance, InstanceChange } from "@terrarium/contract";
import { QueryClient } from "@tanstack/react-query";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page as browserPage, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { applyChange } from "../../shared/instance-cache.ts";
import { newDevices } from "../../shared/new-devices.ts";
import { type Me, MeContext } from "../../session/user.ts";
import { Snacks } from "../../components/Snacks.tsx";
import { anId, anInstance, anOrganization, aRecipe, guest, manager, managerId, user } from "../../testing/factories.ts";
import { aPage, type Call, fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import { defaultColumns } from "./column-ids.ts";
import { hideStopReminder } from "./StopReminder.tsx";
import LaunchpadPage from "./LaunchpadPage.tsx";
import { pageSizePreference, tableSettings } from "./table-settings.ts";

const others = { uuid: anId(), email: "t@demo.test", first_name: "Tomasz", last_name: "Wójcik" };

beforeEach(async () => {
  tableSettings.write({ columns: [...defaultColumns], organizationWide: true });
  pageSizePreference.write(10);
  hideStopReminder.write(false);
  newDevices.clear();
  await browserPage.viewport(1440, 900);
});

interface Given {
  me?: Me;
  answers?: Parameters<typeof fakeService>[0];
}

async function open(rows: Instance[], { me = manager, answers = {} }: Given = {}) {
  const service = fakeService({
    "GET /v2/instances": () => aPage(rows),
    "GET /v1/organizations/:uuid": () => anOrganization(),
    "POST /v1/instances/:uuid/stop-disposable": () => ({ ...rows[0], state: "STOPPING" }),
    ...answers,
  });
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const screen = await render(
    <InTestApp client={cache}>
      <MeContext.Provider value={me}>
        <LaunchpadPage />
        <Snacks />
      </MeContext.Provider>
    </InTestApp>,
  );
  const hear = (change: Partial<InstanceChange> & { uuid: string }) => {
    const event = { ...anInstance(), owner_uuid: managerId, revision: 9, ...change } as InstanceChange;
    if (!applyChange(cache, event)) newDevices.hear(event);
  };
  return { screen, service, hear, lists: () => service.to("GET", /^\/v2\/instances$/) };
}

describe("the launchpad", () => {
  it("asks first for the organisation's devices, the newest change first", async () => {
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
    await expect.element(screen.getByText("No devices are running"), { timeout: 4000 }).toBeVisible();
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
    await expect.element(screen.getByText("Stopping 2 devices")).toBeVisible();
    expect(service.to("POST", /stop-disposable$/).length).toBe(2);
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
    await vi.waitFor(() => expect(lists().length).toBe(2));
  });

  it("shows and keeps the columns that were chosen; the locked ones cannot be", async () => {
    const { screen } = await open([anInstance({ name: "one" })]);
    await screen.getByRole("button", { name: "Columns" }).click();
    await expect.element(screen.getByRole("checkbox", { name: "Name", exact: true })).toBeDisabled();
    await screen.getByRole("checkbox", { name: "Owner" }).click();
    await screen.getByRole("checkbox", { name: "Idle timeout" }).click();
    await screen.getByRole("button", { name: "Apply" }).click();
    await expect.element(screen.getByRole("columnheader", { name: "Owner" })).not.toBeInTheDocument();
    await expect.element(screen.getByRole("cell", { name: "2 hours" })).toBeVisible();
    expect(localStorage.getItem("vd.pref.active-devices-table")).toContain('"VDTimeout"');
  });

  it("lets a manager look at their own devices only, and remembers it", async () => {
    const { screen, lists } = await open([anInstance({ name: "one" })]);
    await screen.getByRole("button", { name: "My devices" }).click();
    await vi.waitFor(() => expect(lists().at(-1)?.query.get("organization_wide")).toBe("false"));
    expect(tableSettings.read().organizationWide).toBe(false);
  });

  it("shows users their own devices without a choice", async () => {
    const { screen, lists } = await open([anInstance({ name: "one" })], { me: user });
    await expect.element(screen.getByRole("row", { name: /one/ })).toBeVisible();
    await expect.element(screen.getByRole("button", { name: "Organization" })).not.toBeInTheDocument();
    expect(lists()[0]?.query.get("organization_wide")).toBe("false");
  });

  it("asks nothing of an organisation for a guest", async () => {
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

  it("says that devices did not load, and tries again", async () => {
    let isDown = true;
    const { screen } = await open([], {
      answers: {
        "GET /v2/instances": () => (isDown ? refuse("INTERNAL_ERROR")() : aPage([anInstance({ name: "one" })])),
      },
    });
    await expect.element(screen.getByText("Devices did not load", { exact: true })).toBeVisible();
    await expect.element(screen.getByText("Devices did not load. They keep running.")).toBeVisible();
    isDown = false;
    await screen.getByRole("button", { name: "Try again" }).click();
    await expect.element(screen.getByRole("row", { name: /one/ })).toBeVisible();
    await expect.element(screen.getByText("Devices did not load. They keep running.")).not.toBeInTheDocument();
  });

  it("filters from the keyboard, once the keys rest, and says when nothing matches", async () => {
    const { screen, lists } = await open([], { answers: { "GET /v2/instances": () => aPage([]) } });
    await expect.element(screen.getByText("No devices are running")).toBeVisible();
    await userEvent.keyboard("/");
    await userEvent.keyboard("zz");
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
});
