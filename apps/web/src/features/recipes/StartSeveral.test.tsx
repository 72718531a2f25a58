import type { Instance } from "@terrarium/contract";
import { expect, it, vi } from "vitest";
import { render } from "vitest-browser-react";
import { readSnacks } from "../../components/snack-queue.ts";
import { anInstance, anOrganization, aRecipe, manager } from "../../testing/factories.ts";
import { aPage, type Call, fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { StartDialog } from "./StartDialog.tsx";

const nameIn = ({ body }: Call) => (body as { instance_name: string }).instance_name;
const started = (call: Call) => anInstance({ name: nameIn(call) });

/** Opens the dialog, names the devices "smoke" and asks for some of them. */
async function ask(count: number, start: (call: Call) => unknown, organization = anOrganization(3, 10)) {
  const service = fakeService({
    "GET /v3/recipes": () => aPage([aRecipe({ name: "First" })]),
    "GET /v2/instances": () => aPage([]),
    "POST /v1/recipes/:uuid/start-disposable": start,
  });
  const onStarted = vi.fn<(instance: Instance, all: readonly Instance[]) => void>();
  const onClose = vi.fn<() => void>();
  const screen = await render(
    <InTestApp>
      <StartDialog me={manager} organization={organization} onClose={onClose} onStarted={onStarted} />
    </InTestApp>,
  );
  await screen.getByLabelText("Device name").fill("smoke");
  await screen.getByRole("combobox", { name: "How many" }).click();
  const offered = screen.getByRole("listbox").last().getByRole("option");
  await expect.element(offered.first()).toBeVisible();
  const choices = offered.elements().length;
  await offered.nth(count - 1).click();
  const press = () => screen.getByRole("button", { name: `Start ${count} devices` }).click();
  const outcomes = () =>
    screen
      .getByRole("list", { name: "Devices to start" })
      .getByRole("listitem")
      .elements()
      .map((row) => row.textContent);
  const starts = () => service.to("POST", /start-disposable$/);
  return { screen, press, outcomes, starts, onStarted, onClose, choices };
}

it("starts several under numbered names, each under its own key, and says what came of each", async () => {
  const { screen, press, outcomes, starts, onStarted } = await ask(3, (call) =>
    nameIn(call) === "smoke-2" ? refuse("NO_SLOT_AVAILABLE")() : started(call),
  );
  await expect.element(screen.getByText("From smoke-1 to smoke-3")).toBeVisible();
  await press();
  await expect.element(screen.getByText("2 of 3 started")).toBeVisible();
  expect(outcomes()).toEqual([
    "smoke-1StartedOpen",
    "smoke-2Due to high demand, all virtual devices are booked. Please try again later.",
    "smoke-3StartedOpen",
  ]);
  expect(new Set(starts().map(({ headers }) => headers.get("idempotency-key"))).size).toBe(3);
  expect(readSnacks()).toEqual([]);
  await screen.getByRole("button", { name: "Done" }).click();
  expect(onStarted.mock.calls[0]?.[1].map(({ name }) => name)).toEqual(["smoke-1", "smoke-3"]);
});

it("tries those again that failed, under the same keys, and no others", async () => {
  let isBooked = true;
  const { screen, press, starts } = await ask(2, (call) =>
    isBooked && nameIn(call) === "smoke-2" ? refuse("NO_SLOT_AVAILABLE")() : started(call),
  );
  await press();
  await expect.element(screen.getByText("1 of 2 started")).toBeVisible();
  isBooked = false;
  await screen.getByRole("button", { name: "Start the others" }).click();
  await expect.element(screen.getByText("2 of 2 started")).toBeVisible();
  expect(starts().map(nameIn)).toEqual(["smoke-1", "smoke-2", "smoke-2"]);
  const keys = starts().map(({ headers }) => headers.get("idempotency-key"));
  expect(keys[2]).toBe(keys[1]);
});

it("does not start the rest after one press", async () => {
  const held = Promise.withResolvers<void>();
  const { screen, press, outcomes, starts } = await ask(4, async (call) => {
    if (nameIn(call) === "smoke-2") await held.promise;
    return started(call);
  });
  await press();
  await expect.poll(() => starts().length).toBe(2);
  await screen.getByRole("button", { name: "Stop the rest" }).click();
  held.resolve();
  await expect.element(screen.getByText("2 of 4 started")).toBeVisible();
  expect(outcomes().slice(2)).toEqual(["smoke-3Not started", "smoke-4Not started"]);
  expect(starts().length).toBe(2);
});

it("does not start the rest once the dialog is closed", async () => {
  const held = Promise.withResolvers<void>();
  const { screen, press, starts } = await ask(3, async (call) => {
    await held.promise;
    return started(call);
  });
  await press();
  await expect.poll(() => starts().length).toBe(1);
  await screen.unmount();
  held.resolve();
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(starts().length).toBe(1);
});

it("offers no more than there is room for, and ends at the limit", async () => {
  let room = 1;
  const { screen, press, outcomes, starts, choices } = await ask(
    3,
    (call) => (room-- > 0 ? started(call) : refuse("TOO_MANY_RUNNING_VDS")()),
    anOrganization(6, 10),
  );
  expect(choices).toBe(4);
  await press();
  const limit = screen.getByRole("dialog", { name: "Device limit reached" });
  await expect.element(limit).toBeVisible();
  expect(starts().length).toBe(2);
  await limit.getByRole("button", { name: "Back to the devices" }).click();
  expect(outcomes()).toEqual(["smoke-1StartedOpen", "smoke-2Too many running virtual devices.", "smoke-3Not started"]);
});

it("closes when none has started", async () => {
  const { screen, press, onClose, onStarted } = await ask(2, refuse("INVALID_LICENSE"));
  await press();
  await screen.getByRole("button", { name: "Done" }).click();
  expect(onClose).toHaveBeenCalledOnce();
  expect(onStarted).not.toHaveBeenCalled();
});
