import { fakePlayer } from "@terrarium/sdk/display/testing";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { queryClient } from "../../../session/client.ts";
import { anInstance } from "../../../testing/factories.ts";
import { OnlineDisplay } from "../OnlineDisplay.tsx";
import { framedAt } from "../testing/Framed.tsx";

const fetch = vi.spyOn(globalThis, "fetch");
beforeEach(() => page.viewport(1280, 800));
afterEach(() => {
  queryClient.clear();
  fetch.mockReset();
});

const everything = {
  battery: true,
  gps: true,
  network: true,
  mobileThrottling: true,
  enable5G: true,
  phone: true,
  identifiers: true,
  diskIO: true,
  gamepad: true,
  accelerometer: true,
};

/** A device that can do everything, with the tool of the address open. */
async function show(address = "/", capabilities: object = everything) {
  fetch.mockImplementation(async () => Response.json({ access_token: "x", expires_at: "2026-03-02T10:00:00Z" }));
  const { connections, openPlayer } = fakePlayer();
  const element = (
    <main style={{ display: "flex", height: 700 }}>
      <OnlineDisplay instance={anInstance()} openPlayer={openPlayer} />
    </main>
  );
  const { router, page: shown } = framedAt(address, element);
  const screen = await render(shown);
  await vi.waitFor(() => expect(connections).toHaveLength(1));
  const connection = connections[0]!;
  connection.onMessage("CAPABILITIES", capabilities);
  onTestFinished(async () => {
    await userEvent.keyboard("{Escape}");
    await expect.element(screen.getByRole("dialog")).not.toBeInTheDocument();
  });
  const says = (type: string, ...reports: string[]) => {
    for (const report of reports) connection.onMessage(type, report);
  };
  const choose = async (label: string, choice: string) => {
    await screen.getByRole("combobox", { name: label }).click();
    await screen.getByRole("option", { name: choice, exact: true }).click();
  };
  const press = (name: string) => screen.getByRole("dialog").getByRole("button", { name }).click();
  return { screen, router, sent: connection.sent, says, choose, press };
}

describe("the tools beside a device", () => {
  it("are in a list, which the keyboard reaches, and their panels are in the address", async () => {
    const { screen, router, says } = await show();
    // Tools wait for the first picture.
    const more = screen.getByRole("button", { name: "More tools" });
    await expect.element(more).not.toHaveAttribute("aria-disabled", "true");
    says("gps", "latitude 1");
    more.element().focus();
    await userEvent.keyboard("{Enter}");
    const names = () =>
      screen
        .getByRole("menuitem")
        .elements()
        .map((item) => item.textContent.replace(/[A-Z]$/, ""));
    await vi.waitFor(() =>
      expect(names()).toEqual([
        "Text and clipboard",
        "Location",
        "Network",
        "Calls and messages",
        "SIM and operator",
        "Identifiers",
        "Disk speed",
        "Controllers",
        "Picture quality",
      ]),
    );
    await userEvent.keyboard("{ArrowDown}{Enter}");
    await expect.element(screen.getByRole("dialog", { name: "Location" })).toBeVisible();
    expect(router.state.location.search).toBe("?tool=gps");
    await userEvent.keyboard("{Escape}");
    await expect.element(screen.getByRole("dialog")).not.toBeInTheDocument();
    expect(router.state.location.search).toBe("");
    screen.getByRole("button", { name: "Rotate" }).element().focus();
    await userEvent.keyboard("n");
    await expect.element(screen.getByRole("dialog", { name: "Network" })).toBeVisible();
  });

  it("are not there for what the device does not have, by a link neither", async () => {
    const { screen } = await show("/?tool=gps", { battery: true });
    await screen.getByRole("button", { name: "More tools" }).click();
    await expect.element(screen.getByRole("menuitem", { name: "Picture quality" })).toBeVisible();
    expect(screen.getByRole("menuitem").elements()).toHaveLength(2);
  });

  it("are a sheet at the bottom of a phone", async () => {
    await page.viewport(390, 800);
    const { screen } = await show("/?tool=gps");
    const sheet = screen.getByRole("dialog", { name: "Location" });
    await expect.element(sheet).toBeVisible();
    await vi.waitFor(() => {
      const { left, right, bottom } = sheet.element().getBoundingClientRect();
      expect([left, right, Math.round(bottom)]).toEqual([0, 390, 800]);
    });
  });

  it("location: follows the device until it is edited, checks, and sends all that the device takes", async () => {
    const { screen, sent, says, press } = await show("/?tool=gps");
    says("gps", "latitude 48.8566", "longitude 2.3522", "accuracy 5");
    const latitude = screen.getByLabelText("Latitude (°)");
    await expect.element(latitude).toHaveValue("48.8566");
    await expect.element(screen.getByLabelText("Speed (m/s)")).toBeDisabled();
    await latitude.fill("91");
    says("gps", "latitude 10", "longitude 20");
    await expect.element(screen.getByLabelText("Longitude (°)")).toHaveValue("20");
    await press("Set");
    await expect.element(screen.getByText("A number from -90 to 90")).toBeVisible();
    expect(sent).toEqual([]);
    await latitude.fill("-33.5");
    await press("Set");
    await vi.waitFor(() =>
      expect(sent).toEqual([
        { channel: "gps", messages: ["set latitude -33.5", "set longitude 20", "set accuracy 5", "enable"] },
      ]),
    );
  });

  it("network: shows what is asked for at once, and what the device says", async () => {
    const { screen, sent, says, choose } = await show("/?tool=network");
    const fields = Array.from({ length: 7 }, (_, at) => `x${at}:disabled:0`).join(" ");
    says("settings", "if wifi:off mobile:on");
    says("network_profile", `state phone ${fields} mobile_profile:edge signal_strength:poor`);
    await expect.element(screen.getByRole("switch", { name: "Wi-Fi" })).not.toBeChecked();
    await expect.element(screen.getByText("2G (EDGE)")).toBeVisible();
    await screen.getByRole("switch", { name: "Mobile data" }).click();
    await expect.element(screen.getByRole("switch", { name: "Mobile data" })).not.toBeChecked();
    await choose("Network type", "5G");
    await choose("Signal", "None");
    expect(sent).toEqual([
      { channel: "settings", messages: ["disableif mobile"] },
      { channel: "network_profile", messages: ["setprofile mobile 5g"] },
      { channel: "network_profile", messages: ["setsignalstrength mobile none"] },
    ]);
  });

  it("calls and messages: need a number, and a message its text", async () => {
    const { screen, sent, press } = await show("/?tool=phone");
    await press("Call the device");
    await expect.element(screen.getByText("Digits, with a + in front if you like")).toBeVisible();
    await screen.getByLabelText("From this number").fill("+33 1");
    await press("Send message");
    await expect.element(screen.getByText("From 1 to 1000 characters")).toBeVisible();
    expect(sent).toEqual([]);
    await screen.getByLabelText("From this number").fill("+331");
    await screen.getByLabelText("Message").fill("Hello, it's me");
    await press("Send message");
    await vi.waitFor(() => expect(sent).toEqual([{ channel: "baseband", messages: ["sms send +331 Hello, it's me"] }]));
  });

  it("SIM and operator: are set together", async () => {
    const { screen, sent, says, press } = await show("/?tool=sim");
    says("baseband", "network operator 26201", "network operator_name Tele Kom", "sim operator 310260");
    says("baseband", "sim operator_name T", "sim imsi_id 123456789", "sim phone_number 555");
    await expect.element(screen.getByLabelText("Network name")).toHaveValue("Tele Kom");
    await screen.getByLabelText("SIM MCC/MNC").fill("1");
    await press("Set");
    await expect.element(screen.getByText("5 or 6 digits")).toBeVisible();
    await screen.getByLabelText("SIM MCC/MNC").fill("20801");
    await press("Set");
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toEqual({
      channel: "baseband",
      messages: [
        "network operator 26201",
        "network operator_name Tele Kom",
        "sim operator 20801",
        "sim operator_name T",
        "sim imsi_id 123456789",
        "sim phone_number 555",
      ],
    });
  });

  it("identifiers: are random ones that a device may have, or typed ones", async () => {
    const { screen, sent, says, press } = await show("/?tool=identifiers");
    says("settings", "parameter android_id:0123456789abcdef", "parameter device_id:358240051111110");
    await expect.element(screen.getByLabelText("IMEI or MEID")).toHaveValue("358240051111110");
    await press("Random");
    await press("Set");
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    expect(sent).toEqual([
      { channel: "framework", messages: [expect.stringMatching(/^set parameter android_id:[0-9a-f]{16}$/)] },
      { channel: "settings", messages: [expect.stringMatching(/^set parameter device_id:35824005\d{7}$/)] },
    ]);
  });

  it("disk: is limited, and its cache cleared", async () => {
    const { screen, sent, says, choose, press } = await show("/?tool=disk");
    says("diskio", "readbyterate 31457280");
    await expect.element(screen.getByText("30 MiB/s")).toBeVisible();
    await choose("Reads at most", "50 MiB/s");
    await press("Clear the cache");
    expect(sent).toEqual([
      { channel: "diskio", messages: ["set readbyterate 52428800", "clearcache"] },
      { channel: "diskio", messages: ["clearcache"] },
    ]);
  });

  it("text: of any script is copied there or typed, and what was copied there is shown", async () => {
    const { screen, sent, says, press } = await show("/?tool=text");
    says("framework", "clipboard from_android w6nwn4yx");
    await expect.element(screen.getByText("Copied there: é🌱")).toBeVisible();
    await screen.getByLabelText("Text for the device").fill("漢🌱\n");
    await press("To its clipboard");
    await press("Type it");
    await vi.waitFor(() => expect(sent).toHaveLength(7));
    expect(sent).toEqual([
      { channel: "framework", messages: ["set_device_clipboard 5ryi8J+MsQo="] },
      { type: "KEYBOARD_PRESS", keychar: "漢", keycode: 0x6f22 },
      { type: "KEYBOARD_RELEASE", keychar: "漢", keycode: 0x6f22 },
      { type: "KEYBOARD_PRESS", keychar: "🌱", keycode: 0x1f331 },
      { type: "KEYBOARD_RELEASE", keychar: "🌱", keycode: 0x1f331 },
      { type: "KEYBOARD_PRESS", keychar: "", keycode: 0x01000005 },
      { type: "KEYBOARD_RELEASE", keychar: "", keycode: 0x01000005 },
    ]);
  });

  it("picture quality: is asked for", async () => {
    const { sent, choose } = await show("/?tool=stream");
    await choose("Size", "480p");
    await choose("Bit rate", "2 Mbit/s");
    expect(sent).toEqual([
      { type: "SIZE", width: 480 },
      { type: "BITRATE", videoBitrate: 2000, audioBitrate: 0 },
    ]);
  });

  it("controllers: of this computer are passed on, also when the panel is closed", async () => {
    const pad = {
      index: 0,
      id: "Pad (Vendor: 045e Product: 028e)",
      connected: true,
      axes: [0],
      buttons: [{ pressed: false }],
    };
    const pads = vi.spyOn(navigator, "getGamepads").mockImplementation(() => [pad as never]);
    onTestFinished(() => pads.mockRestore());
    const { screen, sent, says } = await show("/?tool=gamepad");
    await screen.getByRole("switch", { name: "Pass on to the device" }).click();
    const tells = (message: string) =>
      vi.waitFor(() => expect(sent.at(-1)).toEqual({ channel: "vinput", messages: [message] }));
    await tells("gamepad_plugin 0 Pad 1118 654");
    await userEvent.keyboard("{Escape}");
    says("vinput", "gamepad_plugin_confirmation 0 3");
    pad.buttons = [{ pressed: true }];
    await tells("gamepad_press 3 0");
    pad.connected = false;
    await tells("gamepad_plugout 3");
  });
});
