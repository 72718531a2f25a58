import { expect, it, onTestFinished, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { Form } from "./Form.tsx";
import { StepperField } from "./StepperField.tsx";
import { useAppForm } from "./use-form.ts";

function Devices() {
  const form = useAppForm({ initial: { devices: "3" }, send: () => Promise.resolve(), refusalOf: () => "" });
  return (
    <Form form={form}>
      <StepperField form={form} name="devices" label="Devices" min={1} max={6} words={{ less: "Less", more: "More" }} />
    </Form>
  );
}

it("counts on while a button is held, after 300 ms and then every 100 ms, as far as it may", async () => {
  const screen = await render(
    <InTestApp>
      <Devices />
    </InTestApp>,
  );
  const { setTimeout: realTimeout } = globalThis;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const field = screen.getByRole("spinbutton").element() as HTMLInputElement;
  const more = screen.getByRole("button", { name: "More" }).element();
  const send = (type: string) => more.dispatchEvent(new PointerEvent(type, { bubbles: true }));
  const after = async (ms: number, devices: string) => {
    vi.advanceTimersByTime(ms);
    // An expectation that waits would let the time pass.
    await new Promise((resolve) => realTimeout(resolve));
    expect(field.value).toBe(devices);
  };
  send("pointerdown");
  await after(0, "3");
  await after(299, "3");
  await after(1, "4");
  await after(99, "4");
  await after(1, "5");
  await after(100, "6");
  await after(100, "6");
  send("pointerup");
  more.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  await after(1_000, "6");
  const less = screen.getByRole("button", { name: "Less" }).element();
  less.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
  await after(0, "6");
  await after(300, "5");
  less.dispatchEvent(new PointerEvent("pointercancel", { bubbles: true }));
  await after(0, "5");
  await after(1_000, "5");
  less.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  await after(0, "5");
  less.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  await after(0, "4");
});

it("takes the whole number that a text begins with", async () => {
  const screen = await render(
    <InTestApp>
      <Devices />
    </InTestApp>,
  );
  const field = screen.getByRole("spinbutton");
  for (const [text, devices] of [
    ["2.5", "2"],
    ["-3", ""],
    [" 4", "4"],
    ["44", "6"],
  ] as const) {
    await userEvent.fill(field, text);
    await expect.element(field).toHaveValue(devices);
  }
});
