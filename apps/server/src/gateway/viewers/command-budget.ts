import type { DeviceCommand } from "@terrarium/player";
import { RateWindow } from "../rate-window.ts";

const WINDOW_MS = 1_000;

/**
 * The most commands a second, by what each costs the device. The fastest mice report 1000 positions; a press starts a
 * redraw, a clipboard may be 250 kB, a deed runs a command of the device's shell, a turn starts a new video for every
 * viewer, and a shape opens another one.
 */
const most = { any: 1_000, press: 100, clipboard: 10, deed: 5, turn: 5, shape: 2 } as const;
type Weight = keyof typeof most;

/** How much one viewer may ask of a device. Releases always pass, so that nothing stays pressed. */
export class CommandBudget {
  readonly #windows = new Map<Weight, RateWindow>();

  allows(command: DeviceCommand, now: number): boolean {
    const weight = weightOf(command);
    const allowed = this.#counts("any", now) && (weight === "any" || this.#counts(weight, now));
    return allowed || endsSomething(command);
  }

  #counts(weight: Weight, now: number): boolean {
    const window = this.#windows.get(weight) ?? new RateWindow(WINDOW_MS);
    this.#windows.set(weight, window);
    return window.add(1, now) <= most[weight];
  }
}

function weightOf(command: DeviceCommand): Weight {
  switch (command.type) {
    case "mouse":
    case "pinch":
      return command.action === "press" ? "press" : "any";
    case "touch":
      return command.action === "down" ? "press" : "any";
    case "clipboard":
      return "clipboard";
    case "call":
    case "sms":
    case "gamepadPlugIn":
      return "deed";
    case "rotate":
      return "turn";
    case "bitrate":
    case "size":
      return "shape";
    default:
      return "any";
  }
}

function endsSomething(command: DeviceCommand): boolean {
  if (command.type === "gamepadButton") return !command.pressed;
  if (command.type === "gamepadUnplug") return true;
  return "action" in command && (command.action === "release" || command.action === "up");
}
