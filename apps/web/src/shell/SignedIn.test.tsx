import { createMemoryRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { render } from "vitest-browser-react";
import { anId, aUser } from "../testing/factories.ts";
import { fakeService, refuse } from "../testing/fake-service.ts";
import { client, queryClient, session } from "../session/client.ts";
import { SignedIn } from "./SignedIn.tsx";

const hour = 3_600_000;
const tokenUntil = (ms: number) => `x.${btoa(JSON.stringify({ exp: Math.floor(ms / 1000) }))}.y`;

beforeEach(() => session.open({ token: tokenUntil(Date.now() + hour), user: aUser() }));
afterEach(() => {
  vi.restoreAllMocks();
  session.close();
});

async function open() {
  const router = createMemoryRouter(
    [
      { Component: SignedIn, children: [{ path: "/instance/:uuid", element: <h1>A device</h1> }] },
      { path: "/signin", element: <h1>Sign in</h1> },
    ],
    { initialEntries: ["/instance/1?a=b"] },
  );
  const screen = await render(<RouterProvider router={router} />);
  await expect.element(screen.getByRole("heading", { name: "A device" })).toBeVisible();
  const address = () => router.state.location.pathname + router.state.location.search;
  return { screen, address };
}

const askInVain = async () => {
  fakeService({ "GET /v2/instances": refuse("NOT_AUTHENTICATED") });
  await client.instances.list({ query: {} }).catch(() => undefined);
};
const backHere = "/signin?redirect=%2Finstance%2F1%3Fa%3Db";

describe("what needs somebody signed in", () => {
  it("leads to sign-in and back when the service no longer knows the session", async () => {
    const { address } = await open();
    await askInVain();
    await expect.poll(address).toBe(backHere);
  });

  it.each([
    ["empty", () => new Response(null, { status: 401 })],
    ["a proxy's page", () => new Response("<h1>401</h1>", { status: 401, headers: { "content-type": "text/html" } })],
    ["somebody else's JSON", () => Response.json({ error: "unauthorized" }, { status: 401 })],
  ])("does so for any 401, also when its body is %s", async (_, answer) => {
    const { address } = await open();
    fakeService({ "GET /v2/instances": answer });
    await client.instances.list({ query: {} }).catch(() => undefined);
    await expect.poll(address).toBe(backHere);
  });

  it("does so too when the token ran out meanwhile", async () => {
    const { address } = await open();
    vi.spyOn(Date, "now").mockReturnValue(Date.now() + 2 * hour);
    await askInVain();
    await expect.poll(address).toBe(backHere);
  });

  it("leaves when somebody signs out in another tab", async () => {
    const { address } = await open();
    localStorage.removeItem("terrarium.session");
    globalThis.dispatchEvent(new StorageEvent("storage", { key: "terrarium.session" }));
    await expect.poll(address).toBe(backHere);
  });

  it("leaves when somebody signed out while the page was kept for the way back, and heard of nothing", async () => {
    const { address } = await open();
    localStorage.removeItem("terrarium.session");
    globalThis.dispatchEvent(new Event("pageshow"));
    await expect.poll(address).toBe(backHere);
  });

  it("does not lead back those who signed out themselves, whatever is answered after", async () => {
    const { address } = await open();
    session.close({ bySelf: true });
    await askInVain();
    await expect.poll(address).toBe("/signin");
  });

  it("forgets what was fetched for one person before the next signs in", () => {
    queryClient.setQueryData(["instances", "list"], "of the first");
    session.renew(tokenUntil(Date.now() + 2 * hour));
    expect(queryClient.getQueryData(["instances", "list"])).toBe("of the first");
    session.open({ token: tokenUntil(Date.now() + hour), user: aUser({ uuid: anId() }) });
    expect(queryClient.getQueryData(["instances", "list"])).toBeUndefined();
  });
});
