import { fakePlayer } from "@terrarium/sdk/display/testing";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { queryClient } from "../../session/client.ts";
import type { Instance } from "@terrarium/contract";
import { anInstance } from "../../testing/factories.ts";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { hearDevices } from "../../shared/hear-devices.ts";
import { showPointers } from "../../shared/show-pointers.ts";
import { OnlineDisplay } from "./OnlineDisplay.tsx";
import { framed, framedAt } from "./testing/Framed.tsx";

const fetch = vi.spyOn(globalThis, "fetch");
beforeEach(() => page.viewport(1280, 800));
afterEach(() => {
  queryClient.clear();
  fetch.mockReset();
  for (const { id } of readSnacks()) closeSnack(id);
});

async function show(
  instance: Instance = anInstance(),
  room: Partial<Parameters<typeof OnlineDisplay>[0]> = {},
  address = "/",
) {
  fetch.mockImplementation(async () => Response.json({ access_token: "x", expires_at: "2026-03-02T10:00:00Z" }));
  const { connections, openPlayer } = fakePlayer();
  const screen = await render(
    framedAt(
      address,
      <main style={{ display: "flex", height: 700 }}>
        <OnlineDisplay instance={instance} openPlayer={openPlayer} {...room} />
      </main>,
    ).page,
  );
  const { width, height } = instance.hardware_profile;
  await expect.element(screen.getByText(`${width} × ${height}`)).toBeVisible();
  await vi.waitFor(() => expect(connections).not.toEqual([]));
  return { screen, connection: connections.at(-1)! };
}

/** With the battery's panel open and its slider focused; closed again at the end, for it hides the rest of the page. */
async function showBattery() {
  const { screen, connection } = await show();
  connection.onMessage("battery", "state mode discharging 41");
  await screen.getByRole("button", { name: "Battery" }).click();
  const slider = screen.getByRole("slider", { name: "Level" });
  await expect.element(slider).toBeVisible();
  onTestFinished(async () => {
    await userEvent.keyboard("{Escape}");
    await expect.element(slider).not.toBeInTheDocument();
  });
  const focusSlider = () => slider.element().focus();
  return { screen, connection, focusSlider };
}

describe("a device that is online", () => {
  it("says which way its picture takes, and why", async () => {
    const { screen, connection } = await show();
    const readout = screen.getByRole("region", { name: "Connection" });
    connection.onDetour("blocked");
    await expect.element(readout.getByText("Over WebSocket")).toBeVisible();
    await expect.element(readout.getByText("The network lets no WebRTC through")).toBeVisible();
    connection.onDetour("undecodable");
    await expect.element(readout.getByText(/WebRTC/)).not.toBeInTheDocument();
  });

  it("says what can be done where no picture can come", async () => {
    fetch.mockImplementation(async () => Response.json({ access_token: "x", expires_at: "2026-03-02T10:00:00Z" }));
    const { connections, openPlayer } = fakePlayer({ hasPicture: () => false });
    const screen = await render(framed(<OnlineDisplay instance={anInstance()} openPlayer={openPlayer} />));
    await vi.waitFor(() => expect(connections).toHaveLength(1));
    connections[0]?.onDetour("undecodable");
    await expect.element(screen.getByText(/^The network lets no WebRTC through, and this browser/)).toBeVisible();
  });

  it("takes the socket at once if its address asks for it", async () => {
    const plain = await show();
    expect(plain.connection.detour).toBeUndefined();
    await plain.screen.unmount();
    expect((await show(anInstance(), {}, "/?path=websocket")).connection.detour).toBe("asked");
  });

  it("sends what the toolbar asks for", async () => {
    const { screen, connection } = await show();
    await screen.getByRole("button", { name: "Rotate" }).click();
    await screen.getByRole("button", { name: "Home" }).click();
    expect(connection.sent).toEqual([
      { type: "ROTATE" },
      { type: "KEYBOARD_PRESS", keychar: "0\n", keycode: 16777232 },
      { type: "KEYBOARD_RELEASE", keychar: "0\n", keycode: 16777232 },
    ]);
  });

  it("is silent until its sound is turned on, which is remembered", async () => {
    onTestFinished(() => hearDevices.write(false));
    const first = await show();
    await expect.element(first.screen.getByRole("button", { name: "Sound" })).not.toBeInTheDocument();
    first.connection.onMessage("CAPABILITIES", { sound: true });
    const button = first.screen.getByRole("button", { name: "Sound" });
    await expect.element(button).toHaveAttribute("aria-pressed", "false");
    expect(first.connection.isHeard).toBe(false);
    await button.click();
    await expect.element(button).toHaveAttribute("aria-pressed", "true");
    expect([first.connection.isHeard, first.connection.sent]).toEqual([true, []]);
    await first.screen.unmount();
    const next = await show(anInstance(), { isViewOnly: true });
    expect(next.connection.isHeard).toBe(true);
    next.connection.onMessage("CAPABILITIES", { sound: true });
    const again = next.screen.getByRole("button", { name: "Sound" });
    await expect.element(again).toHaveAttribute("aria-pressed", "true");
    again.element().focus();
    await userEvent.keyboard("a");
    expect(next.connection.isHeard).toBe(false);
  });

  it("says why there is no sound where the device has none", async () => {
    onTestFinished(() => hearDevices.write(false));
    const { screen, connection } = await show();
    connection.onMessage("CAPABILITIES", { sound: false });
    const button = screen.getByRole("button", { name: "Sound" });
    await expect.element(button).toHaveAccessibleDescription(/^There is no sound here/);
    button.element().focus();
    await userEvent.keyboard("a{Enter}");
    button.element().blur();
    expect([hearDevices.read(), connection.isHeard]).toEqual([false, false]);
  });

  it("shows the battery that the device reports, and sends both of its settings", async () => {
    const { screen, connection, focusSlider } = await showBattery();
    await expect.element(screen.getByText("41 %")).toBeVisible();
    await screen.getByRole("switch", { name: "Charging" }).click();
    expect(connection.sent.at(-1)).toEqual({
      channel: "battery",
      messages: ["set state level 41", "set state status charging"],
    });
    connection.onMessage("battery", "state mode charging 41");
    await expect.element(screen.getByRole("switch", { name: "Charging" })).toBeChecked();
    focusSlider();
    await userEvent.keyboard("{ArrowRight}");
    expect(connection.sent.at(-1)).toMatchObject({ messages: ["set state level 42", "set state status charging"] });
  });

  it("counts every press of a key on the battery's slider, however late the device reports", async () => {
    const { screen, connection, focusSlider } = await showBattery();
    focusSlider();
    await userEvent.keyboard("{ArrowRight}{ArrowRight}");
    connection.onMessage("battery", "state mode discharging 42");
    await userEvent.keyboard("{ArrowRight}");
    expect(connection.sent.at(-1)).toMatchObject({ messages: ["set state level 44", "set state status discharging"] });
    await expect.element(screen.getByText("44 %")).toBeVisible();
    connection.onMessage("battery", "state mode discharging 44");
    await new Promise(requestAnimationFrame);
    connection.onMessage("battery", "state mode discharging 50");
    await expect.element(screen.getByText("50 %")).toBeVisible();
  });

  it("shows what the device says when it does not take what was asked", async () => {
    const { screen, focusSlider } = await showBattery();
    focusSlider();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    await userEvent.keyboard("{ArrowRight}");
    await expect.element(screen.getByText("42 %")).toBeVisible();
    vi.advanceTimersByTime(2_000);
    await expect.element(screen.getByText("41 %")).toBeVisible();
  });

  it("says the device's size, not the stream's, and turns it with the picture", async () => {
    const { screen, connection } = await show(anInstance({ hardware: { width: 1440, height: 2560 } }));
    connection.painting.paint(320, 180);
    await expect.element(screen.getByText("2560 × 1440")).toBeVisible();
  });

  it("dims the last frame and says when it tries again", async () => {
    const { screen, connection } = await show();
    connection.lose("lost");
    await expect.element(screen.getByText(/Reconnecting in [123] s/)).toBeVisible();
    await expect.element(screen.getByText("Lost", { exact: true })).toBeVisible();
    const still = document.querySelector("canvas");
    await vi.waitFor(() => expect(getComputedStyle(still?.closest("section") as Element).opacity).toBe("0.4"));
    await expect.element(screen.getByRole("button", { name: "Home" })).toHaveAttribute("aria-disabled", "true");
  });

  it("leads with F6 from the picture to the toolbar, and gives the picture every other key", async () => {
    await show();
    const picture = document.querySelector<HTMLElement>("video")?.parentElement;
    picture?.focus();
    await userEvent.keyboard("r");
    expect(document.activeElement).toBe(picture);
    await userEvent.keyboard("{F6}");
    expect(document.activeElement?.getAttribute("aria-label")).toBe("Rotate");
  });

  it("gives the device shortcuts too, so that none of them acts on the page", async () => {
    const { connection } = await show();
    const acted: string[] = [];
    const hear = ({ key, defaultPrevented }: KeyboardEvent) => void (defaultPrevented || acted.push(key));
    document.addEventListener("keydown", hear);
    onTestFinished(() => document.removeEventListener("keydown", hear));
    document.querySelector<HTMLElement>("video")?.parentElement?.focus();
    await userEvent.keyboard("{Control>}a{/Control}{F3}?");
    expect(getSelection()?.toString()).toBe("");
    expect(acted).toEqual([]);
    expect(connection.sent).toEqual([
      { type: "KEYBOARD_PRESS", keychar: "a", keycode: 97 },
      { type: "KEYBOARD_RELEASE", keychar: "a", keycode: 97 },
    ]);
  });

  it("shows where the others point and tells them where one does, unless that is off", async () => {
    onTestFinished(() => showPointers.write(true));
    const people = [
      { uuid: "a", name: "Mara" },
      { uuid: "b", name: "Kim" },
    ];
    const onRoom = vi.fn<NonNullable<Parameters<typeof OnlineDisplay>[0]["onRoom"]>>();
    showPointers.write(false);
    const { screen, connection } = await show(anInstance(), { people, onRoom });
    const watch = async (...here: string[]) => {
      connection.onMessage("USERS", here);
      await vi.waitFor(() => expect(onRoom.mock.lastCall?.[0].here).toEqual(here));
    };
    const frame = screen.getByTestId("device-frame").element();
    const box = (frame.querySelector("video") as HTMLElement).getBoundingClientRect();
    const point = (part: number) =>
      document.querySelector("video")?.dispatchEvent(
        new PointerEvent("pointermove", {
          bubbles: true,
          clientX: box.left + box.width * part,
          clientY: box.top + box.height * part,
        }),
      );
    const told = () => connection.sent.filter((message) => "what" in message);
    await watch("a", "b");
    point(0.5);
    expect(told()).toEqual([]);
    showPointers.write(true);
    await watch("a");
    point(0.5);
    expect(told()).toEqual([]);
    await watch("b", "a");
    await vi.waitFor(() => (point(0.25), expect(told()).not.toEqual([])));
    expect(told()[0]).toMatchObject({ type: "ROOM", what: "point", x: expect.closeTo(0.25), y: expect.closeTo(0.25) });
    connection.onMessage("ROOM", { what: "pointer", viewer: 4, user: "b", x: 0.5, y: 0.5 });
    connection.onMessage("ROOM", { what: "pointer", viewer: 5, user: "stranger", x: 0.5, y: 0.5 });
    const pointer = screen.getByTestId("pointer");
    await expect.element(pointer).toHaveTextContent("Kim");
    const spot = pointer.element().getBoundingClientRect();
    expect(spot.left).toBeCloseTo(box.left + box.width / 2, 0);
    expect(spot.top).toBeCloseTo(box.top + box.height / 2, 0);
    showPointers.write(false);
    // Before it would be gone by itself.
    await expect.element(pointer, { timeout: 1_000 }).not.toBeInTheDocument();
  });

  it("says that the owner keeps control, and tells the page what it may do with the others", async () => {
    const onRoom = vi.fn<NonNullable<Parameters<typeof OnlineDisplay>[0]["onRoom"]>>();
    const { connection } = await show(anInstance(), { onRoom });
    connection.onMessage("USERS", ["a", "b"]);
    connection.onMessage("ROOM", { what: "hands", users: ["b"] });
    await vi.waitFor(() => expect(onRoom.mock.lastCall?.[0]).toMatchObject({ here: ["a", "b"], hands: ["b"] }));
    onRoom.mock.lastCall?.[0].raise(true);
    onRoom.mock.lastCall?.[0].decline("b");
    expect(connection.sent.slice(-2)).toEqual([
      { type: "ROOM", what: "hand", up: true },
      { type: "ROOM", what: "decline", user: "b" },
    ]);
    connection.onMessage("ROOM", { what: "declined" });
    await vi.waitFor(() =>
      expect(readSnacks().map(({ message }) => message)).toEqual(["The owner keeps control for now."]),
    );
  });

  it("has a ring round the device for the focus that comes by a key, and not for typing after a click", async () => {
    const { screen } = await show();
    const outline = () => getComputedStyle(screen.getByTestId("device-frame").element()).outlineStyle;
    const picture = document.querySelector<HTMLElement>("video")?.parentElement as HTMLElement;
    await userEvent.click(picture);
    expect(document.activeElement).toBe(picture);
    await userEvent.keyboard("hello");
    expect(outline()).toBe("none");
    await userEvent.keyboard("{F6}");
    await userEvent.keyboard("{Shift>}{Tab}{/Shift}");
    expect(document.activeElement).toBe(picture);
    expect(outline()).toBe("solid");
  });
});
