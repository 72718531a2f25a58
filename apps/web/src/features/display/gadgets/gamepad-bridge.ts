import type { Send } from "./gadget.ts";

/** The device's number of each controller, by the browser's. */
export type Confirmed = Readonly<Record<number, number>>;

/** `gamepad_plugin_confirmation <the browser's number> <the device's>`. */
export function confirmedOf(report: unknown, before: Confirmed | undefined): Confirmed | undefined {
  const [, host, guest] = /^gamepad_plugin_confirmation (\d{1,2}) (\d{1,2})$/.exec(String(report)) ?? [];
  return host === undefined ? undefined : { ...before, [Number(host)]: Number(guest) };
}

const AXES = 4;
const BUTTONS = 17;
/** A stick at rest is never quite still. */
const LEAST_MOVE = 0.01;
/** A device that has not confirmed a controller after so many looks, a second or two, is asked again: it may be another connection. */
const LOOKS_UNTIL_AGAIN = 120;

/** What one controller had pressed when it was last looked at. */
interface Seen {
  buttons: boolean[];
  axes: number[];
}

/** Carries this computer's controllers to the device: what changed of them, whenever it is asked to look. */
export class GamepadBridge {
  readonly #send: Send;
  /** How often each was looked at since it was plugged in, until it is confirmed. */
  readonly #asked = new Map<number, number>();
  readonly #seen = new Map<number, Seen>();

  constructor(send: Send) {
    this.#send = send;
  }

  /** Looks at the controllers: new ones are plugged in, known ones say what changed, and those that are gone are unplugged. */
  look(pads: readonly (Gamepad | null)[], confirmed: Confirmed): void {
    for (const pad of pads) {
      if (!pad?.connected) continue;
      const guest = confirmed[pad.index];
      if (guest === undefined) this.#ask(pad);
      else this.#sendChanges(pad, guest);
    }
    for (const index of this.#asked.keys())
      if (!pads.some((pad) => pad?.connected && pad.index === index)) this.#unplug(index, confirmed[index]);
  }

  /** Unplugs all of them. */
  close(confirmed: Confirmed): void {
    for (const index of this.#asked.keys()) this.#unplug(index, confirmed[index]);
  }

  #ask(pad: Gamepad): void {
    const looks = this.#asked.get(pad.index) ?? LOOKS_UNTIL_AGAIN;
    this.#asked.set(pad.index, looks + 1);
    if (looks % LOOKS_UNTIL_AGAIN === 0) this.#plugIn(pad);
  }

  #plugIn(pad: Gamepad): void {
    this.#seen.delete(pad.index);
    // Browsers give maker and model in the name: `Pad (Vendor: 045e Product: 028e)`, or `045e-028e-Pad`.
    const ids = /Vendor: (\w{4}) Product: (\w{4})/.exec(pad.id) ?? /^(\w{4})-(\w{4})-/.exec(pad.id);
    const [vendor, product] = [1, 2].map((at) => Number.parseInt(ids?.[at] ?? "0", 16) || 0);
    const name =
      pad.id
        .replace(/\(.*|^\w{4}-\w{4}-/g, "")
        .trim()
        .replaceAll(/[^\w-]+/g, "_")
        .slice(0, 64) || "Gamepad";
    this.#sendToDevice(`gamepad_plugin ${pad.index} ${name} ${vendor} ${product}`);
  }

  #unplug(index: number, guest: number | undefined): void {
    this.#asked.delete(index);
    this.#seen.delete(index);
    if (guest !== undefined) this.#sendToDevice(`gamepad_plugout ${guest}`);
  }

  #sendChanges(pad: Gamepad, guest: number): void {
    this.#asked.set(pad.index, 1);
    const seen = this.#seen.get(pad.index) ?? { buttons: [], axes: [] };
    this.#seen.set(pad.index, seen);
    for (const [button, { pressed }] of pad.buttons.slice(0, BUTTONS).entries()) {
      if ((seen.buttons[button] ?? false) === pressed) continue;
      seen.buttons[button] = pressed;
      this.#sendToDevice(`gamepad_${pressed ? "press" : "release"} ${guest} ${button}`);
    }
    for (const [axis, value] of pad.axes.slice(0, AXES).entries()) {
      if (Math.abs((seen.axes[axis] ?? 0) - value) < LEAST_MOVE) continue;
      seen.axes[axis] = value;
      this.#sendToDevice(`gamepad_axis ${guest} ${axis} ${value.toFixed(3)}`);
    }
  }

  #sendToDevice(message: string): void {
    this.#send({ channel: "vinput", messages: [message] });
  }
}
