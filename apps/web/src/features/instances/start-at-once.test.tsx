import { expect, it, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { MeContext } from "../../session/user.ts";
import { anInstance, anOrganization, manager } from "../../testing/factories.ts";
import { aPage, fakeService } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import LaunchpadPage from "./LaunchpadPage.tsx";

const isFetched = () => performance.getEntriesByType("resource").some(({ name }) => name.includes("/StartForm.tsx"));

async function open() {
  fakeService({
    "GET /v2/instances": () => aPage([anInstance()]),
    "GET /v1/organizations/:uuid": () => anOrganization(),
    "GET /v3/recipes": () => aPage([]),
  });
  return render(
    <InTestApp>
      <MeContext.Provider value={manager}>
        <LaunchpadPage />
      </MeContext.Provider>
    </InTestApp>,
  );
}

it("fetches the code of the start dialog when there is nothing else to do", async () => {
  const idle: IdleRequestCallback[] = [];
  vi.spyOn(globalThis, "requestIdleCallback").mockImplementation((act) => idle.push(act));
  // The browser notes so many only, and the tests bring many files.
  performance.setResourceTimingBufferSize(10_000);
  await open();
  expect(isFetched()).toBe(false);
  for (const act of idle) act({ didTimeout: false, timeRemaining: () => 50 });
  await vi.waitFor(() => expect(isFetched()).toBe(true), { timeout: 10_000 });
});

it("opens the start dialog before its code is there, and not again once it was closed", async () => {
  const screen = await open();
  const start = screen.getByRole("button", { name: "Start device" });
  await expect.element(start).toBeVisible();
  (start.element() as HTMLElement).click();
  // Within the same task: no answer and no code can have come.
  await Promise.resolve();
  expect(document.querySelector("[role=dialog]")?.textContent).toContain("Start a device");
  await userEvent.keyboard("{Escape}");
  await expect.element(screen.getByRole("dialog")).not.toBeInTheDocument();
  await import("../recipes/StartForm.tsx");
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  expect(screen.getByRole("dialog").elements()).toEqual([]);
});
