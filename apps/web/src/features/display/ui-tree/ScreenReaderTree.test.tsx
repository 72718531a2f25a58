import type { UiNode } from "@terrarium/contract";
import { fakePlayer } from "@terrarium/sdk/display/testing";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { type Locator, page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { queryClient } from "../../../session/client.ts";
import { FakeSocket } from "../../../shared/miniatures/testing/fake-socket.ts";
import { anInstance } from "../../../testing/factories.ts";
import { nameless } from "../../../testing/names.ts";
import { OnlineDisplay } from "../OnlineDisplay.tsx";
import { framed } from "../testing/Framed.tsx";
import { screenReaderPreference } from "./screen-reader-preference.ts";

beforeEach(() => page.viewport(1280, 800));
afterEach(() => {
  queryClient.clear();
  screenReaderPreference.write(false);
});

const a = (name: string, bounds: UiNode["bounds"], more: Partial<UiNode> = {}): UiNode => ({
  class: `android.widget.${name}`,
  bounds,
  ...more,
});
const clickable = { flags: ["clickable"] };

/** As a screen reader does: the mouse would touch the picture. */
const press = (thing: Locator) => (thing.element() as HTMLElement).click();

const children = [
  a("TextView", [0, 0, 1080, 100], { text: "Settings", id: "p:id/page_title" }),
  a("LinearLayout", [0, 100, 1080, 300], {
    ...clickable,
    children: [
      a("TextView", [0, 100, 500, 300], { text: "Wi-Fi" }),
      a("Switch", [900, 100, 1080, 300], { flags: ["checkable", "checked"] }),
    ],
  }),
  a("EditText", [0, 300, 1080, 480], { id: "p:id/name", hint: "Your name", text: "Mara", ...clickable }),
  a("RecyclerView", [0, 480, 1080, 1920], {
    flags: ["scrollable"],
    children: [a("TextView", [0, 480, 1080, 960], { text: "Battery", ...clickable })],
  }),
];
const treeOf = (nodes: UiNode[], [width, height] = [1080, 1920]) => ({
  tree: { width, height, isCut: false, root: a("FrameLayout", [0, 0, 1080, 1920], { children: nodes }) },
});

/** A device on whose page support for screen readers is on, and what it is asked. */
async function show({ isViewOnly = false, isOn = true } = {}) {
  screenReaderPreference.write(isOn);
  const fetch = vi.spyOn(globalThis, "fetch");
  fetch.mockImplementation(async () => Response.json({ access_token: "t", expires_at: "2026-03-02T10:00:00Z" }));
  const sockets: ToolEnd[] = [];
  class ToolEnd extends FakeSocket {
    constructor(url: string) {
      super(url);
      sockets.push(this);
      queueMicrotask(() => this.open());
    }
    say(message: object): void {
      this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) }));
    }
  }
  vi.stubGlobal("WebSocket", ToolEnd);
  onTestFinished(() => {
    vi.unstubAllGlobals();
    fetch.mockRestore();
  });
  const { openPlayer, connections } = fakePlayer();
  const screen = await render(
    framed(
      <main style={{ display: "flex", height: 700 }}>
        <OnlineDisplay instance={anInstance({ name: "fern" })} isViewOnly={isViewOnly} openPlayer={openPlayer} />
      </main>,
    ),
  );
  await vi.waitFor(() => expect(document.querySelector("video")?.videoWidth).toBeGreaterThan(0));
  let asked = 0;
  /** Answers what is asked next. */
  const tell = async (answer: object) => {
    const socket = await vi.waitFor(
      () => {
        const socket = sockets.at(-1);
        if (!socket || socket.sent.length <= asked) throw new Error("nothing was asked");
        return socket;
      },
      { timeout: 5_000 },
    );
    if (asked === 0) {
      asked = 1;
      socket.say({ type: "READY" });
    }
    await vi.waitFor(() => expect(socket.sent.length).toBe(asked + 1), { timeout: 3_000 });
    socket.say({ id: asked++, ...answer });
  };
  const connection = connections.at(-1);
  if (!connection) throw new Error("nothing was connected");
  const device = screen.getByRole("region", { name: "What is on the screen of fern" });
  return { screen, device, connection, tell, sockets };
}

it("is off until it is turned on, first at the device and by keyboard", async () => {
  const { screen, device, sockets } = await show({ isOn: false });
  await expect.element(device).not.toBeInTheDocument();
  const turnOn = screen.getByRole("button", { name: "Turn on screen reader support" });
  expect(turnOn.element().getBoundingClientRect().width).toBeLessThan(2);
  // From the picture Tab goes to the device.
  await vi.waitFor(() => expect(document.activeElement).toBe(document.querySelector("video")?.parentElement));
  await userEvent.keyboard("{F6}");
  turnOn.element().focus();
  await expect.element(turnOn).toHaveFocus();
  expect(turnOn.element().getBoundingClientRect().width).toBeGreaterThan(100);
  expect(sockets).toEqual([]);
  await userEvent.keyboard("{Enter}");
  await expect.element(device).toBeInTheDocument();
  expect(screenReaderPreference.read()).toBe(true);
  await expect.element(screen.getByRole("button", { name: "Turn off screen reader support" })).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(device).not.toBeInTheDocument();
  await vi.waitFor(() => expect(sockets.map(({ readyState }) => readyState)).toEqual([3]));
});

it("has what is on the screen, where it is on the picture, for a screen reader alone", async () => {
  const { device, tell } = await show();
  await tell(treeOf(children));
  await expect.element(device.getByRole("heading", { name: "Settings" })).toBeInTheDocument();
  await expect.element(device.getByRole("switch", { name: "Wi-Fi" })).toBeChecked();
  await expect.element(device.getByRole("textbox", { name: "Your name" })).toHaveValue("Mara");
  const battery = device.getByRole("listitem").getByRole("button", { name: "Battery" }).element();
  const [box, all] = [battery.getBoundingClientRect(), document.querySelector("video")?.getBoundingClientRect()];
  expect(box.top - (all?.top ?? 0)).toBeCloseTo((all?.height ?? 0) / 4, 0);
  // It lies on the picture, and the picture is what is touched.
  expect(document.elementFromPoint(box.left + 9, box.top + 9)?.closest("[aria-label^='What is on']")).toBeNull();
  expect(nameless()).toEqual([]);
});

it("is pressed as if it was touched there, and scrolled", async () => {
  const { device, tell, connection } = await show();
  await tell(treeOf(children));
  const battery = device.getByRole("button", { name: "Battery" });
  await expect.element(battery).toBeInTheDocument();
  battery.element().focus();
  await userEvent.keyboard("{Enter}");
  // The picture is 180 pixels wide, the display 1080.
  expect(connection.sent.splice(0)).toEqual([
    { type: "MOUSE_PRESS", x: 90, y: 120 },
    { type: "MOUSE_RELEASE", x: 90, y: 120 },
  ]);
  press(device.getByRole("button", { name: "Scroll down" }));
  expect(connection.sent.splice(0)).toEqual([{ type: "WHEEL", delta: 360, x: 90, y: 200 }]);
});

it("takes what is typed into a field, which is touched first", async () => {
  const { device, tell, connection } = await show();
  await tell(treeOf(children));
  const field = device.getByRole("textbox", { name: "Your name" });
  await expect.element(field).toBeInTheDocument();
  (field.element() as HTMLElement).focus();
  expect(connection.sent).toEqual([]);
  const shortcuts = vi.fn();
  document.addEventListener("keydown", shortcuts);
  onTestFinished(() => document.removeEventListener("keydown", shortcuts));
  await userEvent.keyboard("é{Backspace}");
  const key = (type: string, keychar: string, keycode: number) => ({ type: `KEYBOARD_${type}`, keychar, keycode });
  expect(connection.sent).toEqual([
    { type: "MOUSE_PRESS", x: 90, y: 65 },
    { type: "MOUSE_RELEASE", x: 90, y: 65 },
    key("PRESS", "é", 0xe9),
    key("RELEASE", "é", 0xe9),
    key("PRESS", "", 0x01000003),
    key("RELEASE", "", 0x01000003),
  ]);
  expect(shortcuts).not.toHaveBeenCalled();
  // What it holds is what the device says.
  await expect.element(field).toHaveValue("Mara");
});

it("can be read by who may only watch, and not pressed", async () => {
  const { device, tell, connection } = await show({ isViewOnly: true });
  await tell(treeOf(children));
  const battery = device.getByRole("button", { name: "Battery" });
  await expect.element(battery).toHaveAttribute("aria-disabled", "true");
  press(battery);
  const field = device.getByRole("textbox", { name: "Your name" });
  await expect.element(field).toHaveAttribute("readonly");
  (field.element() as HTMLElement).focus();
  await userEvent.keyboard("a");
  expect(connection.sent).toEqual([]);
  await expect.element(device.getByRole("button", { name: "Scroll down" })).not.toBeInTheDocument();
});

it("says what is new, keeps the focus on what stays, and among the rest when it goes", async () => {
  const { device, tell, connection } = await show();
  await tell(treeOf(children));
  const battery = device.getByRole("button", { name: "Battery" });
  await expect.element(battery).toBeInTheDocument();
  battery.element().focus();
  connection.onSent?.({ type: "MOUSE_RELEASE" });
  await tell(treeOf([a("TextView", [0, 0, 9, 9], { text: "Saved" }), ...children]));
  await vi.waitFor(() =>
    expect(Array.from(document.querySelectorAll("[role=status]"), (each) => each.textContent)).toContain("Saved"),
  );
  await expect.element(battery).toHaveFocus();
  connection.onSent?.({ type: "MOUSE_RELEASE" });
  await tell(treeOf(children.slice(0, 1)));
  await expect.element(device).toHaveFocus();
});

it("has nothing to press while the picture is held otherwise, until it is read again", async () => {
  const { device, tell, connection } = await show();
  await tell(treeOf(children));
  await expect.element(device.getByRole("button", { name: "Battery" })).toBeInTheDocument();
  connection.painting.paint(320, 180);
  await expect.element(device.getByText("Reading the screen")).toBeInTheDocument();
  await expect.element(device.getByRole("button")).not.toBeInTheDocument();
  await tell(treeOf([a("Button", [960, 0, 1920, 540], { text: "OK" })], [1920, 1080]));
  const ok = device.getByRole("button", { name: "OK" });
  await expect.element(ok).toBeInTheDocument();
  press(ok);
  await vi.waitFor(() => expect(connection.sent.at(-1)).toEqual({ type: "MOUSE_RELEASE", x: 240, y: 45 }));
});

it("says why a screen cannot be read", async () => {
  const { device, tell } = await show();
  await tell({ error: { code: "refused", words: "ERROR: null root node." } });
  await expect.element(device.getByText("The device did not do that. ERROR: null root node.")).toBeInTheDocument();
});
