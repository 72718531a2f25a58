import type { Instance, LiveSession } from "@terrarium/contract";
import { fakePlayer } from "@terrarium/sdk/display/testing";
import { createMemoryRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { session as signedIn } from "../../session/client.ts";
import { MeContext, meOf } from "../../session/user.ts";
import { liveSessionTopic } from "../../shell/live-session-topic.ts";
import { aLiveSession, anInstance, aParticipant, aUser, manager, managerId } from "../../testing/factories.ts";
import { fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp, testCache } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import { soon } from "../../testing/soon.ts";
import LiveSessionPage from "./LiveSessionPage.tsx";

const kim = aParticipant("Kim");
const me = meOf(aUser({ uuid: kim.genyid, email: kim.email, first_name: "Kim", is_organization_manager: false }));
const device = anInstance({ name: "payments-smoke-01", state: "ONLINE", hardware: { width: 720, height: 1280 } });
const running = aLiveSession({ participants: [kim], instance: { uuid: device.uuid, name: device.name } });

beforeEach(() => page.viewport(1280, 800));
afterEach(() => {
  for (const { id } of readSnacks()) closeSnack(id);
});

interface Service {
  session?: () => LiveSession;
  instance?: () => Instance;
  leave?: () => Response;
}

const done = () => new Response(null, { status: 204 });

async function open(
  { session = () => running, instance = () => device, leave = done }: Service = {},
  who = me,
  uuid = running.uuid,
) {
  const now = { session, instance };
  const service = fakeService({
    "GET /v1/livesessions/:uuid": () => now.session(),
    "GET /v1/instances/:uuid": () => now.instance(),
    "POST /v1/instances/access-token": () => {
      now.instance();
      return { access_token: "token", expires_at: device.created_at };
    },
    "DELETE /v1/livesessions/participants/:uuid": leave,
  });
  const { openPlayer, connections } = fakePlayer();
  const cache = testCache();
  const router = createMemoryRouter(
    [
      { path: "/live-session/:uuid", element: <LiveSessionPage openPlayer={openPlayer} /> },
      { path: "/instance/:uuid", element: <h1>The whole device</h1> },
      { path: "/launchpad", element: <h1>Virtual devices</h1> },
      { path: "/launchpad/live-sessions", element: <h1>Live sessions</h1> },
    ],
    { initialEntries: [`/live-session/${uuid}`] },
  );
  const screen = await render(
    <InTestApp client={cache} isRouted={false}>
      <MeContext value={who}>
        <RouterProvider router={router} />
      </MeContext>
    </InTestApp>,
  );
  const change = (fields: { is_gone?: true } = {}) =>
    liveSessionTopic.apply(cache, { uuid: running.uuid, instance_uuid: device.uuid, ...fields });
  return { screen, service, router, connections, now, change };
}

describe("the page of a live session", () => {
  it("shows the device and its tools, and none of what is its owner’s", async () => {
    const { screen, connections } = await open();
    await expect.element(screen.getByRole("toolbar", { name: "Device controls" })).toBeVisible();
    await expect.element(screen.getByText("Live session of Mara Lindqvist")).toBeVisible();
    await soon(() => expect(connections).toHaveLength(1));
    await screen.getByRole("button", { name: "Home" }).click();
    await soon(() => expect(connections[0]?.sent).not.toEqual([]));
    expect(screen.getByRole("button", { name: /^(Stop|Save|Share|Install)/ }).query()).toBeNull();
    expect(nameless()).toEqual([]);
    expect(document.title).toBe("payments-smoke-01 · Terrarium");
  });

  it("shows who takes part", async () => {
    const { screen, connections } = await open();
    await soon(() => expect(connections).toHaveLength(1));
    connections[0]?.onMessage("USERS", [managerId]);
    await screen.getByRole("button", { name: "People, 2/5" }).click();
    const people = screen.getByRole("dialog");
    await expect.element(people.getByText("Owner · here now · manager@demo.test")).toBeVisible();
    await expect.element(people.getByText("You · kim@demo.test")).toBeVisible();
    expect(screen.getByRole("switch").elements()).toHaveLength(1);
    await expect.element(screen.getByRole("switch", { name: "Show where people point" })).toBeChecked();
  });

  it("leads the owner to the whole device", async () => {
    const { screen } = await open({}, manager);
    await expect.element(screen.getByRole("heading", { name: "The whole device" })).toBeVisible();
  });

  it("lets one leave", async () => {
    const { screen, service } = await open();
    await screen.getByRole("button", { name: "Leave" }).click();
    await expect.element(screen.getByRole("heading", { name: "Live sessions" })).toBeVisible();
    expect(service.to("DELETE", /./).map(({ path }) => path)).toEqual([`/v1/livesessions/participants/${kim.uuid}`]);
  });

  it("asks for nothing more once one has left", async () => {
    const { screen, service, change, connections } = await open();
    await soon(() => expect(connections).toHaveLength(1));
    const leave = screen.getByRole("button", { name: "Leave" });
    await expect.element(leave).toBeVisible();
    const before = service.calls.length;
    (leave.element() as HTMLElement).click();
    await soon(() => expect(connections[0]?.isClosed).toBe(true));
    change({ is_gone: true });
    await expect.element(screen.getByRole("heading", { name: "Live sessions" })).toBeVisible();
    expect(service.calls.slice(before).map(({ method }) => method)).toEqual(["DELETE"]);
  });

  it("goes on where one cannot leave", async () => {
    const { screen, connections } = await open({ leave: refuse("INTERNAL_ERROR") });
    await screen.getByRole("button", { name: "Leave" }).click();
    await soon(() => expect(readSnacks()).toMatchObject([{ type: "error" }]));
    await expect.element(screen.getByRole("button", { name: "Leave" })).toBeVisible();
    await soon(() => expect(connections.map(({ isClosed }) => isClosed)).toEqual([true, false]));
  });

  it.each([
    ["control is taken back", { participants: [{ ...kim, can_control: false }] }],
    ["one is removed", refuse("LIVE_SESSION_NOT_ALLOWED")],
  ])("keeps the focus in the page when %s while a panel is open", async (_, then) => {
    const { screen, now, change, connections } = await open();
    await soon(() => expect(connections).toHaveLength(1));
    const battery = screen.getByRole("button", { name: "Battery" });
    await expect.element(battery).not.toHaveAttribute("aria-disabled", "true");
    await battery.click();
    const panel = screen.getByRole("dialog", { name: "Battery" });
    await soon(() => expect(panel.element().contains(document.activeElement)).toBe(true));
    now.session = typeof then === "function" ? then : () => ({ ...running, ...then });
    change();
    await expect.element(panel).not.toBeInTheDocument();
    await expect.element(screen.getByRole("main")).toHaveFocus();
  });

  it("says who has control while one may only watch, and takes the tools away", async () => {
    const { screen, now, change } = await open();
    await expect.element(screen.getByRole("button", { name: "Home" })).toBeVisible();
    now.session = () => ({ ...running, participants: [{ ...kim, can_control: false }] });
    change();
    await expect.element(screen.getByText("You are watching: Mara Lindqvist has control.")).toBeVisible();
    expect(screen.getByRole("button", { name: "Home" }).query()).toBeNull();
    await expect.element(screen.getByRole("button", { name: "Screenshot" })).toBeVisible();
  });

  it("lets who may only watch ask for control, and take that back", async () => {
    const { screen, connections, now, change } = await open({
      session: () => ({ ...running, participants: [{ ...kim, can_control: false }] }),
    });
    await soon(() => expect(connections[0]?.painting).toBeDefined());
    const ask = screen.getByRole("button", { name: "Ask for control" });
    await soon(() => connections[0]?.onMessage("USERS", [managerId, me.uuid]));
    await expect.element(ask).toHaveAttribute("aria-pressed", "false");
    await soon(() => expect(document.querySelector("video")?.videoWidth).toBeGreaterThan(0));
    await ask.click();
    connections[0]?.onMessage("ROOM", { what: "hands", users: [me.uuid] });
    await expect.element(ask).toHaveAttribute("aria-pressed", "true");
    await ask.click();
    expect(connections[0]?.sent).toEqual([
      { type: "ROOM", what: "hand", up: true },
      { type: "ROOM", what: "hand", up: false },
    ]);
    now.session = () => running;
    change();
    await expect.element(ask).not.toBeInTheDocument();
  });

  it.each([
    ["LIVE_SESSION_NOT_FOUND", "This live session has ended."],
    ["LIVE_SESSION_NOT_ALLOWED", "You are no longer in this live session."],
  ] as const)("says in place that it is over: %s", async (code, says) => {
    const { screen, now, change, connections } = await open();
    await soon(() => expect(connections).toHaveLength(1));
    now.session = refuse(code);
    now.instance = refuse("INSTANCE_NOT_ALLOWED");
    change({ is_gone: true });
    await expect.element(screen.getByText(says)).toBeVisible();
    expect(document.querySelector("video")).toBeNull();
    expect(connections[0]?.isClosed).toBe(true);
    await screen.getByRole("link", { name: "Back to your devices" }).click();
    await expect.element(screen.getByRole("heading", { name: "Virtual devices" })).toBeVisible();
  });

  it("hears of the end from the device too, as an event may be lost", async () => {
    const { screen, now, connections } = await open();
    await soon(() => expect(connections[0]?.painting).toBeDefined());
    await expect.element(screen.getByRole("button", { name: "Home" })).not.toHaveAttribute("aria-disabled", "true");
    now.session = refuse("LIVE_SESSION_NOT_FOUND");
    now.instance = refuse("INSTANCE_NOT_FOUND");
    connections[0]?.lose("token");
    await expect.element(screen.getByText("This live session has ended.")).toBeVisible();
  });

  it.each([
    ["LIVE_SESSION_NOT_FOUND", "This link has expired."],
    ["LIVE_SESSION_NOT_ALLOWED", "You are not allowed to display this virtual device."],
    ["INTERNAL_ERROR", "You cannot access this virtual device."],
  ] as const)("says at once what %s means", async (code, says) => {
    const { screen } = await open({ session: refuse(code) });
    await expect.element(screen.getByText(says)).toBeVisible();
  });

  it("says that an identifier is not valid, and asks nobody", async () => {
    const { screen, service } = await open({}, me, "7f3a91c2");
    await expect.element(screen.getByText("This identifier is not valid.")).toBeVisible();
    expect(service.calls).toEqual([]);
  });

  it("fits a phone", async () => {
    await page.viewport(390, 844);
    const { screen } = await open({ instance: () => ({ ...device, name: "x".repeat(200) }) });
    await expect.element(screen.getByRole("button", { name: "Leave" })).toBeVisible();
    expect(document.documentElement.scrollWidth).toBe(390);
  });
});

describe("who is invited", () => {
  const invited = { uuid: running.uuid, instance_uuid: device.uuid, is_invited: true } as const;
  const signIn = (user: typeof me) => {
    const exp = Math.floor(Date.now() / 1000) + 3600;
    signedIn.open({ token: `x.${btoa(JSON.stringify({ exp }))}.y`, user });
  };
  afterEach(() => signedIn.close());

  it("is told so wherever they are, with the way there", async () => {
    fakeService({ "GET /v1/livesessions/:uuid": () => running });
    signIn(me);
    liveSessionTopic.apply(testCache(), invited);
    await soon(() =>
      expect(readSnacks()).toMatchObject([
        {
          type: "info",
          message: "Mara Lindqvist invites you to the live session of “payments-smoke-01”",
          action: { label: "Join", to: `/live-session/${running.uuid}` },
        },
      ]),
    );
  });

  it("is not whoever has begun the session", async () => {
    const service = fakeService({ "GET /v1/livesessions/:uuid": () => running });
    signIn(manager);
    liveSessionTopic.apply(testCache(), invited);
    await soon(() => expect(service.calls).toHaveLength(1));
    await Promise.resolve();
    expect(readSnacks()).toEqual([]);
  });
});
