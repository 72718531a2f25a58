import { afterEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { queryClient } from "../../session/client.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { aReplayFile } from "../../testing/replay.ts";
import ReplayPage from "./ReplayPage.tsx";

const fetch = vi.spyOn(globalThis, "fetch");
afterEach(() => {
  queryClient.clear();
  fetch.mockReset();
});

async function show(answer: () => Response) {
  await page.viewport(390, 844);
  fetch.mockImplementation(async () => answer());
  return render(
    <InTestApp>
      <ReplayPage />
    </InTestApp>,
  );
}

it("shows the replay that a link leads to, also on a phone", async () => {
  const screen = await show(() => new Response(aReplayFile(), { headers: { "content-type": "video/mp4" } }));
  await expect.element(screen.getByRole("heading", { name: /^Replay of/ })).toBeVisible();
  await expect.element(screen.getByRole("option", { name: /Typed on the keyboard/ })).toBeVisible();
  await expect.element(screen.getByRole("slider", { name: "Position" })).toBeVisible();
  expect(document.documentElement.scrollWidth).toBe(390);
});

it.each([
  () => Response.json({ code: "REPLAY_LINK_NOT_FOUND" }, { status: 404 }),
  () => new Response(new Blob(["no replay"]), { headers: { "content-type": "video/mp4" } }),
])("says so when the link leads nowhere", async (answer) => {
  const screen = await show(answer);
  await expect.element(screen.getByText("This link does not work any more.")).toBeVisible();
});

it("can be tried again when the service is in trouble", async () => {
  const screen = await show(() => Response.json({ code: "SERVICE_UNAVAILABLE" }, { status: 503 }));
  await expect.element(screen.getByRole("button", { name: "Try again" })).toBeVisible();
});
