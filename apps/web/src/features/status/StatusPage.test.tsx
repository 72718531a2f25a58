import { onlineManager } from "@tanstack/react-query";
import type { PlatformStatus } from "@terrarium/contract";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { render } from "vitest-browser-react";
import { fakeService } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import StatusPage from "./StatusPage.tsx";

const someStatus = (indicator: PlatformStatus["status"]["indicator"] = "none"): PlatformStatus => ({
  page: { updated_at: "2026-03-05T14:00:00.000Z" },
  status: { indicator, description: "" },
  components: [
    { id: "api", name: "API", status: "operational" },
    { id: "devices", name: "Devices", status: indicator === "none" ? "operational" : "major_outage" },
    { id: "mail", name: "Mail", status: indicator === "none" ? "operational" : "degraded_performance" },
  ],
});

async function open(answer: () => unknown) {
  const service = fakeService({ "GET /status.json": answer });
  const shown = await render(<StatusPage />, { wrapper: InTestApp });
  return {
    shown,
    service,
    lines: () =>
      shown
        .getByRole("listitem")
        .elements()
        .map((line) => line.textContent),
  };
}

beforeEach(
  () =>
    void vi.useFakeTimers({
      shouldAdvanceTime: true,
      toFake: ["setTimeout", "setInterval", "clearTimeout", "clearInterval", "Date"],
    }),
);
afterEach(() => void vi.useRealTimers());

it("says how the service is and each part of it, and looks again", async () => {
  let indicator: "none" | "major" = "none";
  const { shown, lines } = await open(() => someStatus(indicator));
  await expect.element(shown.getByRole("heading", { level: 1, name: "All is well" })).toBeVisible();
  expect(lines()).toHaveLength(3);
  expect(lines()[0]).toMatch(/^Pages and API.*Operational$/);
  indicator = "major";
  await vi.advanceTimersByTimeAsync(31_000);
  await expect.element(shown.getByRole("heading", { level: 1, name: "A part of it is out" })).toBeVisible();
  expect(lines()[1]).toMatch(/Outage$/);
  expect(lines()[2]).toMatch(/Limited$/);
});

it("says when the service does not answer, and since when what it shows is old", async () => {
  let works = false;
  const { shown, lines } = await open(() => (works ? someStatus() : new Response("", { status: 502 })));
  await expect.element(shown.getByRole("heading", { level: 1, name: "The service does not answer" })).toBeVisible();
  works = true;
  await vi.advanceTimersByTimeAsync(31_000);
  await expect.element(shown.getByRole("heading", { level: 1, name: "All is well" })).toBeVisible();
  works = false;
  await vi.advanceTimersByTimeAsync(31_000);
  await expect.element(shown.getByRole("heading", { level: 1, name: "The service does not answer" })).toBeVisible();
  await expect.element(shown.getByText(/has not answered since/)).toBeVisible();
  expect(lines()).toHaveLength(3);
});

it("waits ten seconds for an answer, and not for a browser that takes itself for offline", async () => {
  onlineManager.setOnline(false);
  onTestFinished(() => onlineManager.setOnline(true));
  const aborted = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    const end = new AbortController();
    setTimeout(() => end.abort(new DOMException("", "TimeoutError")), ms);
    return end.signal;
  });
  onTestFinished(() => aborted.mockRestore());
  fakeService({});
  vi.stubGlobal("fetch", (_: string, { signal }: RequestInit) => {
    const never = Promise.withResolvers<Response>();
    signal?.addEventListener("abort", () => never.reject(signal.reason));
    return never.promise;
  });
  const shown = await render(<StatusPage />, { wrapper: InTestApp });
  await vi.advanceTimersByTimeAsync(1_000);
  await expect.element(shown.getByRole("heading", { level: 1, name: "Looking how the service is" })).toBeVisible();
  await vi.advanceTimersByTimeAsync(10_000);
  await expect.element(shown.getByRole("heading", { level: 1, name: "The service does not answer" })).toBeVisible();
});
