import { describe, expect, it } from "vitest";
import { confirmedOf, GamepadBridge } from "./gamepad-bridge.ts";

function create() {
  const sent: string[] = [];
  const bridge = new GamepadBridge((message) => sent.push(...(message as { messages: string[] }).messages));
  const pad = (id = "Pad", buttons: boolean[] = [], axes: number[] = []) =>
    ({ index: 1, id, connected: true, buttons: buttons.map((pressed) => ({ pressed })), axes }) as unknown as Gamepad;
  const take = () => sent.splice(0);
  return { bridge, pad, take };
}

describe("a controller of this computer", () => {
  it.each([
    ["Xbox 360 Controller (XInput STANDARD GAMEPAD)", "gamepad_plugin 1 Xbox_360_Controller 0 0"],
    ["Pad, with ✓ (STANDARD GAMEPAD Vendor: 054c Product: 09cc)", "gamepad_plugin 1 Pad_with_ 1356 2508"],
    ["054c-09cc-Wireless Controller", "gamepad_plugin 1 Wireless_Controller 1356 2508"],
    ["", "gamepad_plugin 1 Gamepad 0 0"],
  ])("%s is plugged in as %s", (id, message) => {
    const { bridge, pad, take } = create();
    bridge.look([null, pad(id)], {});
    expect(take()).toEqual([message]);
  });

  it("says what changed, and nothing before the device has confirmed it", () => {
    const { bridge, pad, take } = create();
    bridge.look([pad("Pad", [true])], {});
    take();
    bridge.look([pad("Pad", [true])], {});
    expect(take()).toEqual([]);
    bridge.look([pad("Pad", [true, false], [0.5, 0.001])], { 1: 4 });
    expect(take()).toEqual(["gamepad_press 4 0", "gamepad_axis 4 0 0.500"]);
    bridge.look([pad("Pad", [false, false], [0.505, 0])], { 1: 4 });
    expect(take()).toEqual(["gamepad_release 4 0"]);
  });

  it("is plugged in again when another connection knows nothing of it", () => {
    const { bridge, pad, take } = create();
    bridge.look([pad()], {});
    bridge.look([pad("Pad", [true])], { 1: 0 });
    take();
    for (let look = 0; look < 200; look++) bridge.look([pad("Pad", [true])], {});
    expect(take()).toEqual(["gamepad_plugin 1 Pad 0 0"]);
    bridge.look([pad("Pad", [true])], { 1: 2 });
    expect(take()).toEqual(["gamepad_press 2 0"]);
  });

  it("is unplugged when it is gone, and with everything at the end", () => {
    const { bridge, pad, take } = create();
    bridge.look([pad()], {});
    bridge.look([], { 1: 4 });
    expect(take().at(-1)).toBe("gamepad_plugout 4");
    bridge.look([pad()], {});
    bridge.close({ 1: 5 });
    expect(take().at(-1)).toBe("gamepad_plugout 5");
  });
});

it("confirmations are read", () => {
  expect(confirmedOf("gamepad_plugin_confirmation 1 0", { 0: 3 })).toEqual({ 0: 3, 1: 0 });
  for (const report of ["gamepad_plugin_confirmation 1", "gamepad_plugin_confirmation x 0", "", { a: 1 }, undefined])
    expect(confirmedOf(report, undefined)).toBeUndefined();
});
