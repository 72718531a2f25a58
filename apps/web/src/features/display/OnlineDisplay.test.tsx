import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { queryClient } from "../../session/client.ts";
import { anInstance } from "../../testing/factories.ts";
import { OnlineDisplay } from "./OnlineDisplay.tsx";
import { fakePlayer } from "./testing/fake-player.ts";
import { framed } from "./testing/Framed.tsx";

const fetch = vi.spyOn(globalThis, "fetch");
beforeEach(() => page.viewport(1280, 800));
afterEach(() => {
  queryClient.clear();
  fetch.mockReset();
});

async function show() {
  fetch.mockImplementation(async () => Response.json({ access_token: "x", expires_at: "2026-03-02T10:00:00Z" }));
  const { connections, openPlayer } = fakePlayer();
  const screen = await render(
    framed(
      <main style={{ display: "flex", height: 700 }}>
        <OnlineDisplay instance={anInstance()} openPlayer={openPlayer} />
      </main>,
    ),
  );
  await expect.element(screen.getByText("180 × 320")).toBeVisible();
  const connection = connections.at(-1);
  if (!connection) throw new Error("nothing was connected");
  return { screen, connection };
}

describe("a device that is online", () => {
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

  it("shows the battery that the device reports, and sends both of its settings", async () => {
    const { screen, connection } = await show();
    connection.onMessage("battery", "state mode discharging 41");
    await screen.getByRole("button", { name: "Battery" }).click();
    await expect.element(screen.getByText("41 %")).toBeVisible();
    await screen.getByRole("switch", { name: "Charging" }).click();
    expect(connection.sent.at(-1)).toEqual({
      channel: "battery",
      messages: ["set state level 41", "set state status charging"],
    });
    await expect.element(screen.getByRole("switch", { name: "Charging" })).not.toBeChecked();
    connection.onMessage("battery", "state mode charging 41");
    await expect.element(screen.getByRole("switch", { name: "Charging" })).toBeChecked();
    screen.getByRole("slider", { name: "Level" }).element().focus();
    await userEvent.keyboard("{ArrowRight}");
    expect(connection.sent.at(-1)).toMatchObject({ messages: ["set state level 42", "set state status charging"] });
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
});
