import { decimalWithin, wholeWithin, words } from "../words.ts";

/** `hostIndex` is the browser's index, `pad` the number the server confirmed. Buttons and axes follow the W3C standard gamepad. */
export type GamepadCommand =
  | { type: "gamepadPlugIn"; hostIndex: number; name: string; vendorId: number; productId: number }
  | { type: "gamepadUnplug"; pad: number }
  | { type: "gamepadButton"; pad: number; button: number; pressed: boolean }
  | { type: "gamepadAxis"; pad: number; axis: number; value: number };

const MAX_PADS = 16;
const MAX_INPUTS = 64;

/** `gamepad_plugin 0 Some_Pad 1118 654`, `gamepad_press 0 3`, `gamepad_axis 0 1 -0.5`, `gamepad_plugout 0`. */
export function parseGamepad(command: string): GamepadCommand | undefined {
  const [verb, first, ...more] = words(command, 6).words;
  const index = wholeWithin(first, 0, MAX_PADS);
  if (index === undefined) return undefined;
  switch (verb) {
    case "gamepad_plugin":
      return plugIn(index, more);
    case "gamepad_plugout":
      return more.length === 0 ? { type: "gamepadUnplug", pad: index } : undefined;
    case "gamepad_press":
    case "gamepad_release": {
      const button = wholeWithin(more[0], 0, MAX_INPUTS);
      const pressed = verb === "gamepad_press";
      return button === undefined || more.length > 1
        ? undefined
        : { type: "gamepadButton", pad: index, button, pressed };
    }
    case "gamepad_axis": {
      const axis = wholeWithin(more[0], 0, MAX_INPUTS);
      const value = decimalWithin(more[1], -1, 1);
      return axis === undefined || value === undefined || more.length > 2
        ? undefined
        : { type: "gamepadAxis", pad: index, axis, value };
    }
    default:
      return undefined;
  }
}

function plugIn(hostIndex: number, [name = "", vendor, product, ...more]: string[]): GamepadCommand | undefined {
  const vendorId = wholeWithin(vendor, 0, 0xffff);
  const productId = wholeWithin(product, 0, 0xffff);
  return vendorId === undefined || productId === undefined || name.length > 128 || more.length > 0
    ? undefined
    : { type: "gamepadPlugIn", hostIndex, name, vendorId, productId };
}
