import { render } from "vitest-browser-react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { someSettings } from "../../testing/factories.ts";
import { fakeService } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { stateOf } from "./platform-status.ts";
import { usePlatformStatus } from "./use-platform-status.ts";

const status = { page: "https://status.fern.test/", summary: "https://status.fern.test/api/v2/status.json" };

function Badge() {
  const shown = usePlatformStatus();
  return shown ? (
    <a href={shown.href} aria-label={shown.label}>
      {shown.state}
    </a>
  ) : (
    <p>none</p>
  );
}

async function open(answer: () => unknown, settings = someSettings({ status })) {
  const service = fakeService({ "GET /v1/settings": () => settings, "GET /api/v2/status.json": answer });
  const shown = await render(<Badge />, { wrapper: InTestApp });
  return { shown, polls: () => service.to("GET", /status\.json/).length, calls: () => service.calls };
}

describe("an indicator", () => {
  it.each([
    ["none", "operational"],
    ["minor", "limited"],
    ["maintenance", "limited"],
    ["major", "outage"],
    ["critical", "outage"],
    ["toString", undefined],
    [undefined, undefined],
  ])("%s means %s", (indicator, state) => expect(stateOf(indicator)).toBe(state));
});

describe("the platform's state", () => {
  beforeEach(
    () =>
      void vi.useFakeTimers({
        shouldAdvanceTime: true,
        toFake: ["setTimeout", "setInterval", "clearTimeout", "clearInterval", "Date"],
      }),
  );
  afterEach(() => void vi.useRealTimers());

  it("is read at once and then every five minutes, and links to the status page", async () => {
    const { shown, polls } = await open(() => ({ status: { indicator: "minor" } }));
    const link = shown.getByRole("link", { name: "Status: Limited, opens in a new tab" });
    await expect.element(link).toHaveAttribute("href", "https://status.fern.test/");
    expect(polls()).toBe(1);
    await vi.advanceTimersByTimeAsync(290_000);
    expect(polls()).toBe(1);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(polls()).toBe(2);
  });

  it("is the service's own where the operator has no other page", async () => {
    const own = { page: "/status", summary: "/cloud/status.json" };
    const service = fakeService({
      "GET /v1/settings": () => someSettings({ status: own }),
      "GET /status.json": () => ({ status: { indicator: "major" } }),
    });
    const shown = await render(<Badge />, { wrapper: InTestApp });
    const link = shown.getByRole("link", { name: "Status: Outage, opens in a new tab" });
    await expect.element(link).toHaveAttribute("href", "/status");
    expect(service.to("GET", /^\/status\.json$/)).toHaveLength(1);
  });

  it("stays what it was when the status page fails, and says since when", async () => {
    let works = true;
    const { shown, polls } = await open(() =>
      works ? { status: { indicator: "none" } } : new Response("", { status: 502 }),
    );
    await expect.element(shown.getByText("Operational")).toBeVisible();
    works = false;
    await vi.advanceTimersByTimeAsync(310_000);
    await expect.poll(polls).toBe(2);
    await expect
      .element(shown.getByRole("link", { name: /Status: Operational when it was last read, 5 minutes ago/ }))
      .toBeVisible();
  });

  it("is not known before anything was read", async () => {
    const { shown } = await open(() => ({ status: { indicator: "strange" } }));
    await expect.element(shown.getByText("Not known")).toBeVisible();
  });

  it("is not asked for when the operator has no status page", async () => {
    const { shown, calls } = await open(() => ({ status: { indicator: "none" } }), someSettings());
    await expect.element(shown.getByText("none")).toBeVisible();
    await vi.advanceTimersByTimeAsync(700_000);
    // Nor is anything else.
    expect(calls()).toHaveLength(1);
  });
});
