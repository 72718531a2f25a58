import type { Instance } from "@terrarium/contract";
import { fakePlayer } from "@terrarium/sdk/display/testing";
import { createMemoryRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { anInstance, aUser } from "../../testing/factories.ts";
import { session } from "../../session/client.ts";
import { fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import { soon } from "../../testing/soon.ts";
import SideBySidePage from "./SideBySidePage.tsx";

beforeEach(() => page.viewport(1440, 800));

const devices = Array.from({ length: 7 }, (_, index) => anInstance({ name: `phone-${index + 1}` }));
const [one, two, three] = devices as [Instance, Instance, Instance];

async function open(query: string, known: Record<string, () => unknown> = {}) {
  const service = fakeService({
    "GET /v1/instances/:uuid": ({ path }) =>
      (known[path.slice(-36)] ?? (() => devices.find(({ uuid }) => path.endsWith(uuid))))(),
    "POST /v1/instances/access-token": () => ({ access_token: "token", expires_at: one.created_at }),
  });
  const { openPlayer, connections } = fakePlayer();
  const router = createMemoryRouter(
    [
      { path: "/devices/side-by-side", element: <SideBySidePage openPlayer={openPlayer} /> },
      { path: "/instance/:uuid", element: <h1>One device</h1> },
    ],
    { initialEntries: [`/devices/side-by-side?${query}`] },
  );
  const screen = await render(
    <InTestApp isRouted={false}>
      <RouterProvider router={router} />
    </InTestApp>,
  );
  const live = (count: number) =>
    soon(() =>
      expect([...document.querySelectorAll("video")].filter(({ videoWidth }) => videoWidth > 0)).toHaveLength(count),
    );
  return { screen, service, router, connections, live };
}

/** The room that an outline leaves around what differs, and how much coarser the comparison is than the picture, in pixels. */
const ROOM = { least: 0, most: 10 };
type Sides = Record<"left" | "top" | "right" | "bottom", number>;

function isAround(outline: Sides, sides: Sides, picture: Sides): boolean {
  return (["left", "top", "right", "bottom"] as const).every((side) => {
    const sign = side === "left" || side === "top" ? 1 : -1;
    const room = sign * (sides[side] - outline[side]);
    return room > ROOM.least - 1 && room < ROOM.most && sign * (outline[side] - picture[side]) > -0.5;
  });
}

describe("devices side by side", () => {
  it("are each there with a name, a state and a connection of its own, six at most", async () => {
    const { screen, connections, live } = await open(`ids=${devices.map(({ uuid }) => uuid).join(",")}`);
    await live(6);
    expect(connections).toHaveLength(6);
    expect(
      screen
        .getByRole("link", { name: /^phone-/ })
        .elements()
        .map(({ textContent }) => textContent),
    ).toEqual(devices.slice(0, 6).map(({ name }) => name));
    expect(screen.getByText("Online").elements()).toHaveLength(6);
    expect(nameless()).toEqual([]);
    const frames = screen
      .getByTestId("device-frame")
      .elements()
      .map((frame) => frame.getBoundingClientRect());
    for (const { right, bottom } of frames) expect(right <= 1440 && bottom <= 800).toBe(true);
    await screen.getByRole("link", { name: "phone-2" }).click();
    await expect.element(screen.getByRole("heading", { name: "One device" })).toBeVisible();
  });

  it("are touched alone until they are mirrored, which the address keeps", async () => {
    const { screen, router, connections, live } = await open(`ids=${one.uuid},${two.uuid}`);
    await live(2);
    const [first, second] = connections;
    const says = (type: string) => first?.onSent?.({ type, x: 90, y: 160 });
    await expect.element(screen.getByRole("button", { name: "Back, phone-1" })).not.toHaveAttribute("aria-disabled");
    await expect.element(screen.getByRole("button", { name: "Back, phone-2" })).not.toHaveAttribute("aria-disabled");
    says("MOUSE_PRESS");
    says("MOUSE_RELEASE");
    expect(second?.sent).toEqual([]);
    await screen.getByRole("switch", { name: "Mirror" }).click();
    await soon(() => expect(router.state.location.search).toContain("mirror=on"));
    await soon(() => {
      says("MOUSE_PRESS");
      expect(second?.sent.at(-1)).toEqual({ type: "MOUSE_PRESS", x: 90, y: 160 });
    });
    await screen.getByRole("switch", { name: "Mirror" }).click();
    await soon(() => expect(second?.sent).toContainEqual({ type: "MOUSE_RELEASE", x: 90, y: 160 }));
    await screen.getByRole("button", { name: "Take phone-2 off this page" }).click();
    await soon(() => expect(router.state.location.search).toBe(`?ids=${one.uuid}`));
    await soon(() => expect([first?.isClosed, second?.isClosed]).toEqual([false, true]));
  });

  it("have outlined where they differ from the first while that is asked for, in numbers too", async () => {
    const { screen, connections, live, router } = await open(`ids=${one.uuid},${two.uuid}&mirror=on`);
    await live(2);
    const rects =
      (...all: [number, number, number, number][]) =>
      (context: CanvasRenderingContext2D) => {
        for (const rect of all) context.fillRect(...rect);
      };
    const [first, second] = connections.map(({ painting }) => painting);
    first!.scene = rects([20, 20, 60, 30]);
    // The same on a screen of twice the size, and three things more, one at the edge.
    const differing: [number, number, number, number][] = [
      [40, 400, 80, 80],
      [240, 560, 60, 20],
      [300, 0, 60, 40],
    ];
    second!.paint(360, 640);
    second!.scene = rects([40, 40, 120, 60], ...differing);
    const marks = () => screen.getByTestId("difference").elements();
    expect(marks()).toEqual([]);
    await screen.getByRole("switch", { name: "Differences" }).click();
    await soon(() => expect(marks()).toHaveLength(6));
    await expect.element(screen.getByText("3 differences")).toBeVisible();
    expect(router.state.location.search).toBe(`?ids=${one.uuid}%2C${two.uuid}&mirror=on&differences=on`);
    // On either picture an outline lies around what differs, with a little room, and within the picture.
    for (const frame of screen.getByTestId("device-frame").elements()) {
      const outlines = frame.querySelectorAll("[data-testid=difference]");
      const picture = outlines[0]!.parentElement!.getBoundingClientRect();
      const found = Array.from(outlines, (outline) => outline.getBoundingClientRect());
      expect(found).toHaveLength(differing.length);
      for (const [left, top, width, height] of differing) {
        const sides = {
          left: picture.left + (left / 360) * picture.width,
          top: picture.top + (top / 640) * picture.height,
          right: picture.left + ((left + width) / 360) * picture.width,
          bottom: picture.top + ((top + height) / 640) * picture.height,
        };
        expect(found.filter((outline) => isAround(outline, sides, picture))).toHaveLength(1);
      }
    }
    second!.scene = rects([40, 40, 120, 60]);
    await expect.element(screen.getByText("No differences")).toBeVisible();
    second!.paint(640, 360);
    await expect.element(screen.getByText("Turned: not compared")).toBeVisible();
    await screen.getByRole("switch", { name: "Differences" }).click();
    await soon(() => expect(router.state.location.search).not.toContain("differences"));
    await expect.element(screen.getByText("Turned: not compared")).not.toBeInTheDocument();
    expect(marks()).toEqual([]);
  });

  it("have all that is said below them in sight, six beside each other", async () => {
    const { screen, live, connections } = await open(`ids=${devices.map(({ uuid }) => uuid).join(",")}&differences=on`);
    await live(6);
    for (const { painting } of connections) painting.scene = (context) => context.fillRect(20, 20, 60, 30);
    await soon(() => expect(screen.getByText("No differences").elements()).toHaveLength(5));
    const tiles = screen.getByRole("region", { name: /^phone-/ }).elements();
    for (const tile of tiles) {
      const [edge, keys, said] = [tile, ...tile.lastElementChild!.children].map((part) => part.getBoundingClientRect());
      expect(said!.left).toBeGreaterThanOrEqual(keys!.right);
      // Its border, and some air.
      expect(edge!.bottom - said!.bottom).toBeGreaterThanOrEqual(3);
      expect(edge!.right - said!.right).toBeGreaterThanOrEqual(3);
    }
  });

  it("say why there is no picture of one, and show the others", async () => {
    const { screen, connections } = await open(`ids=${one.uuid},${two.uuid},${three.uuid}`, {
      [one.uuid]: refuse("INSTANCE_NOT_FOUND"),
      [two.uuid]: () => ({ ...two, state: "BOOTING" }),
    });
    await expect.element(screen.getByText("Device not found.")).toBeVisible();
    await expect.element(screen.getByText(/The picture appears here by itself/)).toBeVisible();
    await soon(() => expect(connections).toHaveLength(1));
  });

  it("are one’s own", async () => {
    const exp = Math.floor(Date.now() / 1000) + 3600;
    session.open({ token: `x.${btoa(JSON.stringify({ exp }))}.y`, user: aUser({ uuid: "someone else" }) });
    onTestFinished(() => session.close());
    const { screen, connections } = await open(`ids=${one.uuid}`);
    await expect.element(screen.getByText("You are not allowed to display this virtual device.")).toBeVisible();
    expect(connections).toEqual([]);
  });

  it("are chosen in the list", async () => {
    const { screen, service } = await open("ids=x,7f3a91c2");
    await expect.element(screen.getByText("No devices are chosen.")).toBeVisible();
    expect(service.calls).toEqual([]);
  });

  it("stack on a phone", async () => {
    await page.viewport(390, 844);
    const long = "x".repeat(200);
    const { screen, live } = await open(`ids=${one.uuid},${two.uuid}&mirror=on`, {
      [one.uuid]: () => ({ ...one, name: long }),
    });
    await live(2);
    const [upper, lower] = screen
      .getByRole("region")
      .elements()
      .filter((tile) => tile.querySelector("a"))
      .map((tile) => tile.getBoundingClientRect());
    expect(lower!.top).toBeGreaterThanOrEqual(upper!.bottom);
    expect(document.documentElement.scrollWidth).toBe(390);
    await expect.element(screen.getByRole("switch", { name: "Mirror" })).toBeChecked();
  });
});
