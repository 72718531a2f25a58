import type { CurrentSettings } from "@terrarium/contract";
import { aKeyFrame } from "@terrarium/sdk/display/testing";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { whenIdle } from "../../components/when-idle.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { someSettings } from "../../testing/factories.ts";
import { fakeService, refuse } from "../../testing/fake-service.ts";
import { soon } from "../../testing/soon.ts";
import { FakeSocket } from "../../shared/miniatures/testing/fake-socket.ts";
import { HomeDevice } from "./HomeDevice.tsx";

const watch: CurrentSettings["showcase"] = {
  form_factor: "WATCH",
  display_mode: "REGULAR",
  display_settings: { displays: [{ width: 32, height: 48, density: 160 }], hw_navigation_keys: false },
};

let sockets: FakeSocket[] = [];
beforeEach(() => {
  sockets = [];
  vi.stubGlobal(
    "WebSocket",
    class extends FakeSocket {
      constructor(url: string) {
        super(url);
        sockets.push(this);
      }
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
});

async function open({ showcase = watch, answer = undefined as (() => unknown) | undefined } = {}) {
  let tickets = 0;
  const service = fakeService({
    "GET /v1/settings": () => someSettings({ showcase }),
    "POST /v1/showcase":
      answer ?? (() => ({ url: "wss://here.test/showcase", access_token: `ticket ${++tickets}`, expires_at: "" })),
  });
  const shown = await render(
    <InTestApp>
      <div style={{ position: "relative", height: 700 }}>
        <HomeDevice />
      </div>
    </InTestApp>,
  );
  const asked = () => service.to("POST", /showcase/).length;
  const canvas = () => shown.container.querySelector("canvas");
  return {
    shown,
    asked,
    canvas,
    settingsRead: () => soon(() => expect(service.to("GET", /settings/)).toHaveLength(1)),
    async live() {
      await soon(() => expect(sockets).toHaveLength(1));
      sockets[0]?.open();
      sockets[0]?.show(aKeyFrame("red"));
      await soon(() => expect(canvas()).not.toBeNull());
    },
  };
}

/** Longer than a browser is ever too busy. */
const idle = () => new Promise<void>((resolve) => void whenIdle(() => whenIdle(resolve)));

it("comes alive with the first picture, and asks for the next ones", async () => {
  const { shown, canvas, live } = await open();
  await live();
  expect(sockets[0]?.sent.slice(0, 2)).toEqual([JSON.stringify({ type: "token", token: "ticket 1" }), "next"]);
  await soon(() => expect(sockets[0]?.sent.slice(2)).toEqual(["next"]));
  const pixel = () => canvas()?.getContext("2d")?.getImageData(16, 24, 1, 1).data;
  await soon(() => expect(pixel()?.[0]).toBeGreaterThan(100));
  sockets[0]?.show(aKeyFrame("blue"));
  await soon(() => expect(pixel()?.[2]).toBeGreaterThan(100));
  await expect.element(shown.getByText("A live device of this installation. Touch it.")).toBeVisible();
});

it("sends where it is touched, in pixels of the picture, and nothing when a mouse only passes over it", async () => {
  const { canvas, live } = await open();
  await live();
  const element = canvas()!;
  const { width, height } = element.getBoundingClientRect();
  const before = sockets[0]!.sent.length;
  await userEvent.hover(element);
  await userEvent.click(element, { position: { x: width / 2, y: height / 4 } });
  const told = sockets[0]!.sent.slice(before).filter((text) => text !== "next");
  expect(told.map((text) => JSON.parse(text).type)).toEqual(["MOUSE_PRESS", "MOUSE_RELEASE"]);
  const { x, y } = JSON.parse(told[0] ?? "");
  expect([Math.round(x), Math.round(y)]).toEqual([16, 12]);
});

it("scrolls the page under a finger until it has been touched", async () => {
  const { canvas, live } = await open();
  await live();
  expect(canvas()?.style.touchAction).toBe("pan-y");
  await userEvent.click(canvas()!);
  await soon(() => expect(canvas()?.style.touchAction).toBe("none"));
  sockets[0]?.end(4244);
  await soon(() => expect(canvas()?.style.touchAction).toBe("pan-y"));
});

it("can be paused, and played with again", async () => {
  const { shown, live, canvas } = await open();
  await live();
  await shown.getByRole("button", { name: "Pause the device" }).click();
  await soon(() => expect(sockets[0]?.readyState).toBe(3));
  expect(canvas()).not.toBeNull();
  await shown.getByRole("button", { name: "Play with the device" }).click();
  await soon(() => expect(sockets).toHaveLength(2));
});

it("is drawn again when the service has shown it for long enough, and does not come back by itself", async () => {
  const { shown, asked, live, canvas } = await open();
  await live();
  sockets[0]?.end(4243);
  await soon(() => expect(canvas()).toBeNull());
  await expect.element(shown.getByRole("button", { name: "Play with the device" })).toBeVisible();
  expect([asked(), sockets.length]).toEqual([1, 1]);
});

it("stays drawn when it was asked for too often, and says so each time", async () => {
  const { shown, asked, canvas } = await open({ answer: refuse("TOO_MANY_REQUESTS") });
  const says = shown.getByText("The device was asked for too often. Try again in ten minutes.");
  await expect.element(says).toBeVisible();
  expect([asked(), sockets.length, canvas()]).toEqual([1, 0, null]);
  await shown.getByRole("button", { name: "Play with the device" }).click();
  await soon(() => expect(asked()).toBe(2));
  await expect.element(says).toBeVisible();
});

it("stays drawn where none is shown, and offers nothing", async () => {
  const { shown, asked, canvas } = await open({ answer: refuse("ROUTE_NOT_FOUND") });
  await soon(() => expect(asked()).toBe(1));
  await idle();
  expect([asked(), sockets.length, canvas()]).toEqual([1, 0, null]);
  expect(shown.container.querySelectorAll("button")).toHaveLength(0);
});

it("is not spoken of before its first picture", async () => {
  const { shown, live } = await open();
  await soon(() => expect(sockets).toHaveLength(1));
  expect(shown.container.textContent).not.toContain("live device");
  expect(shown.container.querySelectorAll("button")).toHaveLength(0);
  await live();
  await expect.element(shown.getByRole("button", { name: "Pause the device" })).toBeVisible();
});

it.each<[string, () => unknown, CurrentSettings["showcase"]]>([
  ["where the operator shows none", () => undefined, null],
  [
    "for who wants little motion",
    () => {
      const real = matchMedia.bind(globalThis);
      vi.stubGlobal("matchMedia", (query: string) =>
        real(query.replace("(prefers-reduced-motion: reduce)", "(min-width: 1px)")),
      );
    },
    watch,
  ],
  [
    "for who wants little data",
    () => {
      Object.defineProperty(navigator, "connection", { value: { saveData: true }, configurable: true });
      onTestFinished(() => void Reflect.deleteProperty(navigator, "connection"));
    },
    watch,
  ],
  ["where there is no decoder", () => vi.stubGlobal("VideoDecoder", undefined), watch],
])("asks for nothing %s", async (_, prepare, showcase) => {
  prepare();
  const { shown, asked, settingsRead } = await open({ showcase });
  await settingsRead();
  await idle();
  expect([asked(), shown.container.querySelectorAll("button").length]).toEqual([0, 0]);
});

it("asks for nothing while it is out of sight, and closes when it is", async () => {
  const { shown, asked, settingsRead, live } = await open();
  shown.container.style.marginTop = "3000px";
  await settingsRead();
  shown.container.style.marginTop = "0";
  await live();
  expect(asked()).toBe(1);
  shown.container.style.marginTop = "3000px";
  await soon(() => expect(sockets[0]?.readyState).toBe(3));
});
