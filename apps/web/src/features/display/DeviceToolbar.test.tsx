import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { DeviceToolbar } from "./DeviceToolbar.tsx";
import { framed } from "./testing/Framed.tsx";

beforeEach(() => page.viewport(1280, 800));

async function show(props: Partial<Parameters<typeof DeviceToolbar>[0]> = {}) {
  const onAct = vi.fn();
  const keys: string[] = [];
  const screen = await render(
    framed(
      <>
        <input aria-label="before" />
        <DeviceToolbar
          isLive
          equipment={{ formFactor: "PHONE", capabilities: undefined }}
          onAct={(name) => onAct(name)}
          onKey={({ name }, isDown) => keys.push(`${name} ${isDown ? "down" : "up"}`)}
          {...props}
        />
        <input aria-label="after" />
      </>,
    ),
  );
  await screen.getByLabelText("before").click();
  await userEvent.keyboard("{Tab}");
  const focused = () => document.activeElement?.getAttribute("aria-label");
  return { screen, onAct, keys, focused };
}

describe("the device's toolbar", () => {
  it("is one stop for Tab, with the arrows inside it", async () => {
    const { focused } = await show();
    expect(focused()).toBe("Rotate");
    await userEvent.keyboard("{ArrowDown}{ArrowDown}");
    expect(focused()).toBe("Full screen");
    await userEvent.keyboard("{End}");
    expect(focused()).toBe("Recents");
    await userEvent.keyboard("{ArrowDown}{ArrowUp}");
    expect(focused()).toBe("Recents");
    await userEvent.keyboard("{Tab}");
    expect(focused()).toBe("after");
    await userEvent.keyboard("{Shift>}{Tab}{/Shift}");
    expect(focused()).toBe("Recents");
  });

  it("acts on Enter and on its keys, and only while it has the focus", async () => {
    const { onAct, keys, screen } = await show();
    await userEvent.keyboard("{Enter}");
    await userEvent.keyboard("sb+h{Backspace}");
    expect(onAct.mock.calls.flat()).toEqual(["rotate", "screenshot", "battery"]);
    expect(keys).toEqual(["volumeUp down", "volumeUp up", "home down", "home up", "back down", "back up"]);
    await screen.getByLabelText("after").click();
    await userEvent.keyboard("r");
    expect(onAct).toHaveBeenCalledTimes(3);
  });

  it("holds a key of the device for as long as the pointer does", async () => {
    const { keys, screen } = await show();
    const power = screen.getByRole("button", { name: "Power key" }).element();
    power.setPointerCapture = () => undefined;
    power.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, button: 0 }));
    expect(keys).toEqual(["power down"]);
    power.dispatchEvent(new PointerEvent("pointerup", { bubbles: true, button: 0 }));
    power.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    expect(keys).toEqual(["power down", "power up"]);
  });

  it("lets a finger scroll over its keys, tap them and hold them", async () => {
    const { keys, screen } = await show();
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const home = screen.getByRole("button", { name: "Home" }).element();
    const finger = (type: string) =>
      home.dispatchEvent(new PointerEvent(type, { bubbles: true, button: 0, pointerType: "touch" }));

    finger("pointerdown");
    vi.advanceTimersByTime(149);
    finger("pointercancel");
    vi.advanceTimersByTime(1_000);
    expect(keys).toEqual([]);

    finger("pointerdown");
    finger("pointerup");
    home.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    expect(keys).toEqual(["home down", "home up"]);

    finger("pointerdown");
    vi.advanceTimersByTime(150);
    expect(keys.slice(2)).toEqual(["home down"]);
    finger("pointerup");
    home.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    expect(keys.slice(2)).toEqual(["home down", "home up"]);
  });

  it("takes Enter for a press of its own after a touch that became a scroll", async () => {
    const { keys, screen } = await show();
    const home = screen.getByRole("button", { name: "Home" }).element() as HTMLElement;
    home.setPointerCapture = () => undefined;
    home.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, button: 0 }));
    home.dispatchEvent(new PointerEvent("pointercancel", { bubbles: true }));
    keys.length = 0;
    home.focus();
    await userEvent.keyboard("{Enter}");
    expect(keys).toEqual(["home down", "home up"]);
  });

  it("keeps what cannot act in reach, and says why", async () => {
    const { onAct, keys, screen } = await show({ isLive: false });
    const rotate = screen.getByRole("button", { name: "Rotate" });
    await expect.element(rotate).toHaveAttribute("aria-disabled", "true");
    await userEvent.keyboard("{Enter}sh");
    expect([onAct.mock.calls, keys]).toEqual([[], []]);
    await userEvent.hover(rotate);
    await expect.element(screen.getByText("Rotate: waits for the connection")).toBeVisible();
  });

  it("has nothing, not even a key, for what the device does not have", async () => {
    const capabilities = { battery: true, accelerometer: false };
    const { onAct, screen } = await show({ equipment: { formFactor: "PHONE", capabilities } });
    await expect.element(screen.getByRole("button", { name: "Rotate" })).not.toBeInTheDocument();
    await userEvent.keyboard("rb");
    expect(onAct.mock.calls.flat()).toEqual(["battery"]);
  });

  it("stays one stop for Tab when the tool that had the focus is gone", async () => {
    const { screen, focused } = await show({ equipment: { formFactor: "TV", capabilities: { battery: false } } });
    expect(focused()).toBe("Screenshot");
    expect(screen.getByRole("toolbar").element().querySelectorAll('[tabindex="0"]')).toHaveLength(1);
  });

  it.each([320, 360, 390, 599])("is shown whole on a phone of %i px, in targets of 44 px", async (width) => {
    await page.viewport(width, 800);
    const capabilities = { sound: true, accelerometer: true, battery: true, gps: true };
    const { screen } = await show({ equipment: { formFactor: "PHONE", capabilities, hasTools: true } });
    const buttons = [...screen.getByRole("toolbar").element().querySelectorAll("button")];
    expect(buttons.length).toBeGreaterThan(15);
    for (const { left, right, width: wide, height } of buttons.map((button) => button.getBoundingClientRect())) {
      expect(left).toBeGreaterThanOrEqual(0);
      expect(right).toBeLessThanOrEqual(width);
      expect(Math.min(wide, height)).toBeGreaterThanOrEqual(44);
    }
  });
});
