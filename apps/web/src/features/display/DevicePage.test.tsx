import type { Instance, LiveSession } from "@terrarium/contract";
import { beforeEach, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { Route, Routes } from "react-router";
import { render } from "vitest-browser-react";
import { type Me, MeContext } from "../../session/user.ts";
import { aLiveSession, anId, anInstance, manager, user } from "../../testing/factories.ts";
import { aPage, fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import DevicePage from "./DevicePage.tsx";

const device = anInstance({ name: "payments-smoke-01", state: "ONLINE" });
const colleague: Me = { ...manager, uuid: anId() };

beforeEach(() => page.viewport(1440, 900));

async function open(answer: () => unknown, me: Me = manager, uuid: string = device.uuid, live: LiveSession[] = []) {
  const { calls } = fakeService({
    "GET /v1/instances/:uuid": answer,
    "GET /v1/livesessions": () => aPage(live),
  });
  const screen = await render(
    <InTestApp address={`/device/${uuid}`}>
      <MeContext.Provider value={me}>
        <Routes>
          <Route path="/device/:uuid" Component={DevicePage} />
          <Route path="/instance/:uuid" element={<h1>Its display</h1>} />
          <Route path="/live-session/:uuid" element={<h1>A live session</h1>} />
          <Route path="/launchpad" element={<h1>Virtual devices</h1>} />
        </Routes>
      </MeContext.Provider>
    </InTestApp>,
  );
  return { screen, calls };
}

describe("the page of a device", () => {
  it("says all that is known of it, and opens its display", async () => {
    const { screen } = await open(() => device);
    await expect.element(screen.getByRole("heading", { level: 1, name: device.name })).toBeVisible();
    const terms = screen
      .getByRole("term")
      .elements()
      .map(({ textContent }) => textContent);
    expect(terms).toHaveLength(22);
    expect(terms.slice(0, 3)).toEqual(["State", "ID", "Recipe"]);
    await expect.element(screen.getByText("Online", { exact: true })).toBeVisible();
    expect(document.title).toBe("payments-smoke-01 · Terrarium");
    await screen.getByRole("link", { name: "Open display" }).click();
    await expect.element(screen.getByRole("heading", { name: "Its display" })).toBeVisible();
  });

  it.each<[string, Partial<Instance>, Me, string | undefined]>([
    ["of a colleague leads to its owner", {}, { ...user, uuid: anId() }, "Message the owner"],
    ["of a colleague has no display for a manager either", {}, colleague, "Message the owner"],
    ["that is stopping has no display", { state: "STOPPING" }, manager, undefined],
  ])("%s", async (_, fields, me, link) => {
    const { screen } = await open(() => ({ ...device, ...fields }), me);
    await expect.element(screen.getByRole("term").first()).toBeVisible();
    const links = () => Array.from(screen.getByRole("link").elements(), ({ textContent }) => textContent);
    await expect.poll(links).toEqual(link ? [link] : []);
  });

  it("leads whoever takes part in its live session there", async () => {
    const live = aLiveSession({ instance: { uuid: device.uuid, name: device.name } });
    const { screen } = await open(() => device, colleague, device.uuid, [live]);
    await screen.getByRole("link", { name: "Open display" }).click();
    await expect.element(screen.getByRole("heading", { name: "A live session" })).toBeVisible();
  });

  it("fits a phone with the longest names", async () => {
    await page.viewport(390, 844);
    const name = "Unreasonable-".repeat(20).slice(0, 250);
    const email = `${"m".repeat(64)}@${"b".repeat(185)}`;
    const long = { ...device, name, recipe: { ...device.recipe!, name }, owner: { ...device.owner, email } };
    const { screen } = await open(() => long, { ...colleague, is_organization_manager: false });
    await expect.element(screen.getByRole("link", { name: "Message the owner" })).toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
    expect(nameless()).toEqual([]);
  });

  it.each([
    ["INSTANCE_NOT_ALLOWED", "You are not allowed to display this virtual device."],
    ["INSTANCE_NOT_FOUND", "Device not found."],
    ["INSTANCE_ENDED", "This virtual device is not running."],
  ] as const)("says what %s means, and leads back", async (code, sentence) => {
    const { screen } = await open(refuse(code));
    await expect.element(screen.getByRole("heading", { name: sentence })).toBeVisible();
    await screen.getByRole("link", { name: "Back to your devices" }).click();
    await expect.element(screen.getByRole("heading", { name: "Virtual devices" })).toBeVisible();
  });

  it("asks for nothing with what is no identifier", async () => {
    const { screen, calls } = await open(() => device, manager, "7f3a91c2");
    await expect.element(screen.getByText("This identifier is not valid.")).toBeVisible();
    expect(calls).toEqual([]);
  });

  it("can be asked for again when it did not load", async () => {
    let isDown = true;
    const { screen } = await open(() => (isDown ? refuse("INTERNAL_ERROR")() : device));
    await expect.element(screen.getByRole("button", { name: "Try again" })).toBeVisible();
    isDown = false;
    await screen.getByRole("button", { name: "Try again" }).click();
    await expect.element(screen.getByText("Online", { exact: true })).toBeVisible();
  });
});
