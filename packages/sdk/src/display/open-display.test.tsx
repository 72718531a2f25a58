import { TestClock } from "@terrarium/clock";
import { afterEach, expect, it, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { openDisplay } from "./open-display.ts";
import { fakePlayer } from "./testing/fake-player.ts";
import { startLoopbackDevice } from "./testing/loopback-device.ts";

// The test clock settles promises by Node's own means, which a browser spells differently.
vi.stubGlobal("setImmediate", (run: () => void) => setTimeout(run));

const uuid = "0e2f2b65-91dc-4b6d-9a07-5f5cfb7f0d0b";
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0).toReversed()) stop();
});

/** A service that knows one device, and answers with `status` if it is not asked as it should be. */
function aService(refusal?: { status: number; code: string }) {
  const asked: string[] = [];
  const fetch = async (input: unknown, init: RequestInit = {}) => {
    const path = input as string;
    asked.push(`${init.method} ${path} ${new Headers(init.headers).get("x-api-token")}`);
    if (refusal) return Response.json({ code: refusal.code, message: "" }, { status: refusal.status });
    return Response.json(
      path.endsWith(uuid) ? { webrtc_url: "wss://device.test" } : { access_token: "good", expires_at: "" },
    );
  };
  return { asked, fetch };
}

function aRoom(): HTMLElement {
  const element = document.body.appendChild(document.createElement("div"));
  element.style.cssText = "width:300px;height:320px";
  stops.push(() => element.remove());
  return element;
}

const service = { baseUrl: "https://devices.test", apiToken: "a token", instance: uuid };

it("shows a device's picture as large as its element allows, with the service's address and token", async () => {
  const { asked, fetch } = aService();
  const { connections, openPlayer } = fakePlayer();
  const element = aRoom();
  const display = openDisplay(element, { ...service, fetch, openPlayer, clock: new TestClock(0) });
  stops.push(() => display.close());
  await vi.waitFor(() => expect(display.status.phase).toBe("live"));
  expect(asked).toEqual([
    `GET https://devices.test/cloud/v1/instances/${uuid} a token`,
    "POST https://devices.test/cloud/v1/instances/access-token a token",
  ]);
  expect(connections[0]).toMatchObject({ webrtcUrl: "wss://device.test", token: "good" });
  await vi.waitFor(() => {
    const { width, height } = element.querySelector("video")!.getBoundingClientRect();
    expect([Math.round(width), Math.round(height)]).toEqual([180, 320]);
  });
  display.press("home");
  expect(connections[0]?.sent).toMatchObject([{ type: "KEYBOARD_PRESS" }, { type: "KEYBOARD_RELEASE" }]);
  display.close();
  await vi.waitFor(() => expect(connections[0]?.isClosed).toBe(true));
  expect(element.childElementCount).toBe(0);
});

it("says why there is nothing to come back to", async () => {
  const { fetch } = aService({ status: 403, code: "INSTANCE_NOT_ALLOWED" });
  const onStatus = vi.fn();
  const display = openDisplay(aRoom(), { ...service, fetch, onStatus });
  stops.push(() => display.close());
  await vi.waitFor(() =>
    expect(display.status).toMatchObject({ phase: "ended", refusal: { code: "INSTANCE_NOT_ALLOWED" } }),
  );
  expect(onStatus).toHaveBeenLastCalledWith(display.status);
});

it("is closed by its signal, also before it has begun", async () => {
  const { asked, fetch } = aService();
  const element = aRoom();
  openDisplay(element, { ...service, fetch, signal: AbortSignal.abort() });
  expect([asked, element.childElementCount]).toEqual([[], 0]);
});

it.each(["document", "shadow tree"])("takes touches, wheel and keys with the real player in a %s", async (where) => {
  const device = startLoopbackDevice();
  const element = aRoom();
  const root = where === "document" ? element : element.attachShadow({ mode: "open" });
  const place = root.appendChild(document.createElement("div"));
  place.style.height = "320px";
  const display = openDisplay(place, { ...service, fetch: aService().fetch });
  stops.push(
    () => device.stop(),
    () => display.close(),
  );
  await vi.waitFor(() => expect(display.status.phase).toBe("live"), { timeout: 10_000 });
  const video = display.video!;
  await vi.waitFor(() => expect(Math.round(video.getBoundingClientRect().width)).toBe(180));
  const { left, top } = video.getBoundingClientRect();
  const at = { clientX: left + 90, clientY: top + 160, bubbles: true, composed: true };
  video.dispatchEvent(new MouseEvent("mousedown", { ...at, button: 0, buttons: 1 }));
  video.dispatchEvent(new MouseEvent("mouseup", { ...at, button: 0 }));
  video.dispatchEvent(new WheelEvent("wheel", { ...at, deltaY: 120 }));
  video.dispatchEvent(new PointerEvent("pointerdown", at));
  await userEvent.keyboard("a{Control>}c{/Control}");
  const types = () => (device.heard as { type: string }[]).map(({ type }) => type);
  await vi.waitFor(() =>
    expect(types()).toEqual(expect.arrayContaining(["MOUSE_PRESS", "MOUSE_RELEASE", "WHEEL", "KEYBOARD_PRESS"])),
  );
});

it("lets nothing through where one only watches", async () => {
  const device = startLoopbackDevice();
  const element = aRoom();
  const display = openDisplay(element, { ...service, fetch: aService().fetch, isViewOnly: true });
  stops.push(
    () => device.stop(),
    () => display.close(),
  );
  await vi.waitFor(() => expect(display.status.phase).toBe("live"), { timeout: 10_000 });
  await userEvent.click(element);
  await userEvent.keyboard("a");
  expect(device.heard).toEqual([]);
});
