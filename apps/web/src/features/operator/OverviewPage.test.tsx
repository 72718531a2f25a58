import { beforeEach, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { Snacks } from "../../components/Snacks.tsx";
import { someSettings } from "../../testing/factories.ts";
import { fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp, testCache } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import CataloguePage from "./CataloguePage.tsx";
import GatewaysPage from "./GatewaysPage.tsx";
import type { OfficialRecipe, Overview } from "./operator.queries.ts";
import OverviewPage from "./OverviewPage.tsx";
import { anOverview } from "./testing/operator-rows.ts";

beforeEach(() => page.viewport(1440, 900));

async function open(Page: React.ComponentType, overview: Overview | (() => never)) {
  fakeService({ "GET /v1/operator/overview": typeof overview === "function" ? overview : () => overview });
  return render(
    <InTestApp>
      <Page />
    </InTestApp>,
  );
}

describe("the overview", () => {
  it("says that nothing needs attention, and what is known of each part", async () => {
    const screen = await open(OverviewPage, anOverview());
    await expect.element(screen.getByText("Nothing needs attention.")).toBeVisible();
    const part = (name: string) => screen.getByRole("region", { name }).element().textContent;
    expect(part("Devices")).toContain("Online3");
    expect(part("Devices")).toContain("Booting1");
    expect(part("Jobs and mails")).toContain("send-mail2 waiting, 1 running, 0 failed");
    expect(part("Database")).toContain("PostgreSQL 17.5");
    expect(part("Database")).toContain("18 of 100");
    expect(nameless()).toEqual([]);
  });

  it("leads to what needs attention, in the order of the service", async () => {
    const attention = [
      { what: "no_gateway", is_urgent: true, count: 0 },
      { what: "jobs_failed", is_urgent: false, count: 2 },
      { what: "requests_waiting", is_urgent: false, count: 1 },
    ] as const;
    const screen = await open(OverviewPage, anOverview({ attention: [...attention] }));
    const list = screen.getByRole("list", { name: "What needs attention" });
    await expect.element(list).toBeVisible();
    expect(list.element().textContent).toMatch(/Urgent.*No gateway is up.*Soon.*2 jobs have failed/);
    const link = list.getByRole("link", { name: "2 jobs have failed." });
    await expect.element(link).toHaveAttribute("href", "/operator/jobs?state=failed");
    await expect
      .element(list.getByRole("link", { name: "1 request for a trial or an offer waits for your decision." }))
      .toHaveAttribute("href", "/operator/requests?state=REQUESTED");
  });

  it.each([true, false])(
    "leads to the mails of a demonstration, which nobody else is told of: %s",
    async (has_mailbox) => {
      fakeService({
        "GET /v1/operator/overview": () => anOverview(),
        "GET /v1/settings": () => someSettings({ has_mailbox }),
      });
      const screen = await render(
        <InTestApp>
          <OverviewPage />
        </InTestApp>,
      );
      const part = screen.getByRole("region", { name: "Jobs and mails" });
      await expect.element(part).toBeVisible();
      await expect.poll(() => part.getByRole("link", { name: "3 mails" }).elements().length).toBe(has_mailbox ? 1 : 0);
    },
  );

  it("can be asked for again when it did not load", async () => {
    const screen = await open(OverviewPage, refuse("INTERNAL_ERROR"));
    await expect.element(screen.getByText("The overview did not load.")).toBeVisible();
    await expect.element(screen.getByRole("button", { name: "Try again" })).toBeVisible();
  });

  it("says since when it was not read, above what was", async () => {
    let isDown = false;
    fakeService({ "GET /v1/operator/overview": () => (isDown ? refuse("INTERNAL_ERROR")() : anOverview()) });
    const cache = testCache();
    const screen = await render(
      <InTestApp client={cache}>
        <OverviewPage />
      </InTestApp>,
    );
    await expect.element(screen.getByText("Nothing needs attention.")).toBeVisible();
    expect(screen.getByText(/^Not read since/).elements()).toEqual([]);
    isDown = true;
    void cache.invalidateQueries();
    await expect.element(screen.getByText(/^Not read since \d{4}-/)).toBeVisible();
    await expect.element(screen.getByText("Nothing needs attention.")).toBeVisible();
  });

  it("fits a phone", async () => {
    await page.viewport(390, 844);
    const [gateway] = anOverview().gateways;
    const screen = await open(
      GatewaysPage,
      anOverview({ gateways: [{ ...gateway!, id: "g".repeat(90), zones: ["europe", "north america"] }] }),
    );
    await expect.element(screen.getByText("europe, north america")).toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  });
});

describe("gateways and hosts", () => {
  it("are shown with their load, and a silent one as such", async () => {
    const overview = anOverview();
    const [server] = overview.servers;
    const screen = await open(GatewaysPage, {
      ...overview,
      servers: [server!, { ...server!, id: "other", pid: 4712, roles: ["gateway"], silent_seconds: 90 }],
    });
    const one = screen.getByRole("region", { name: "terrarium-1, process 4711" });
    await expect.element(one.getByText("Running")).toBeVisible();
    expect(one.element().textContent).toContain("Memory of the machine61 %");
    const other = screen.getByRole("region", { name: "terrarium-1, process 4712" });
    await expect.element(other.getByText("Silent")).toBeVisible();
    expect(screen.getByRole("region", { name: "gateway-1" }).element().textContent).toContain("ZonesAll");
  });

  it("say what Android could run with, and make recipes of devices that are there", async () => {
    const [gateway] = anOverview().gateways;
    const device = { runtime: "adb-pool", key: "R5", name: "Pixel 7", is_free: true, problem: null, is_offered: false };
    const away = { ...device, key: "R6", name: "Moss", is_free: false, problem: "unauthorized", is_offered: true };
    const help = "sudo modprobe kvm_intel";
    const machine = [{ what: "kvm", is_possible: false, says: "there is no /dev/kvm", help } as const];
    const overview = () => anOverview({ gateways: [{ ...gateway!, machine, found: [device, away] }] });
    const asked: unknown[] = [];
    fakeService({
      "GET /v1/operator/overview": overview,
      "POST /v1/operator/offer": ({ body }) => (asked.push(body), { uuid: "u", name: "Pixel 7, Android 14" }),
    });
    const screen = await render(
      <InTestApp>
        <GatewaysPage />
        <Snacks />
      </InTestApp>,
    );
    await expect.element(screen.getByText(help)).toBeVisible();
    const other = screen.getByRole("region", { name: "Moss" });
    expect(other.element().textContent).toMatch(/Not ready.*unauthorized.*In the catalogue/);
    await screen.getByRole("button", { name: "Add Pixel 7 to the catalogue" }).click();
    await expect.element(screen.getByText("Pixel 7, Android 14 is in the catalogue")).toBeVisible();
    expect(asked).toEqual([{ gateway: "gateway-1", runtime: "adb-pool", key: "R5" }]);
    expect(nameless()).toEqual([]);
  });

  it("drain once that is confirmed, and take devices again", async () => {
    const overview = anOverview();
    const sent: unknown[] = [];
    const isDraining = () => sent.length === 1;
    fakeService({
      "GET /v1/operator/overview": () => ({
        ...overview,
        gateways: overview.gateways.map((gateway) => ({ ...gateway, is_draining: isDraining() })),
      }),
      "PUT /v1/operator/gateways/gateway-1": ({ body }) => void sent.push(body),
    });
    const screen = await render(
      <InTestApp>
        <GatewaysPage />
      </InTestApp>,
    );
    const one = screen.getByRole("region", { name: "gateway-1" });
    await one.getByRole("button", { name: "Drain" }).click();
    await screen.getByRole("dialog", { name: "Drain gateway-1?" }).getByRole("button", { name: "Cancel" }).click();
    expect(sent).toEqual([]);
    await one.getByRole("button", { name: "Drain" }).click();
    await screen.getByRole("dialog", { name: "Drain gateway-1?" }).getByRole("button", { name: "Drain" }).click();
    await expect.element(one.getByText("Draining")).toBeVisible();
    expect(nameless()).toEqual([]);
    await one.getByRole("button", { name: "Take devices again" }).click();
    await expect.element(one.getByText("Up", { exact: true })).toBeVisible();
    expect(sent).toEqual([{ is_draining: true }, { is_draining: false }]);
  });

  it("are said to be none", async () => {
    const screen = await open(GatewaysPage, anOverview({ gateways: [], servers: [] }));
    await expect.element(screen.getByText("No gateway is up.")).toBeVisible();
    await expect.element(screen.getByText("No process has told of itself yet.")).toBeVisible();
  });
});

describe("the catalogue", () => {
  const recipe = (name: string, fields: Partial<OfficialRecipe> = {}): OfficialRecipe => ({
    uuid: name,
    name,
    status: "READY",
    arch: "arm64",
    os_version: "15.0",
    image_status: "READY",
    runtime: "simulator",
    is_runtime_configured: true,
    running_instances: 2,
    ...fields,
  });

  it("says of each recipe whether it can be started here", async () => {
    const recipes = [
      recipe("Phone"),
      recipe("Tablet", { runtime: "emulator", is_runtime_configured: false }),
      recipe("Watch", { image_status: "ERROR" }),
    ];
    fakeService({ "GET /v1/operator/catalogue": () => ({ recipes }) });
    const screen = await render(
      <InTestApp>
        <CataloguePage />
      </InTestApp>,
    );
    await expect.element(screen.getByRole("row", { name: /Phone.*Ready/ })).toBeVisible();
    await expect.element(screen.getByRole("row", { name: /Tablet.*Runtime emulator is not set up/ })).toBeVisible();
    await expect.element(screen.getByRole("row", { name: /Watch.*Not ready/ })).toBeVisible();
  });
});
