/**
 * What a controller says of itself to the kernel (USB HID 1.11, 6.2.2): two sticks, two triggers, sixteen buttons and a directional pad,
 * each where Android looks for it.
 */
export const gamepadDescriptor = Uint8Array.from([
  0x05,
  0x01, // Usage page: generic desktop
  0x09,
  0x05, // Usage: game pad
  0xa1,
  0x01, // Collection: application
  0xa1,
  0x00, // Collection: physical
  0x05,
  0x01, // Usage page: generic desktop
  0x09,
  0x30,
  0x09,
  0x31, // Usages: X and Y, the left stick
  0x09,
  0x32,
  0x09,
  0x35, // Usages: Z and Rz, the right stick
  0x15,
  0x00,
  0x27,
  0xff,
  0xff,
  0x00,
  0x00, // 0 to 65535
  0x75,
  0x10,
  0x95,
  0x04,
  0x81,
  0x02, // Input: 4 of 16 bits
  0x05,
  0x02, // Usage page: simulation
  0x09,
  0xc5,
  0x09,
  0xc4, // Usages: brake and accelerator, the triggers
  0x15,
  0x00,
  0x26,
  0xff,
  0x7f, // 0 to 32767
  0x75,
  0x10,
  0x95,
  0x02,
  0x81,
  0x02, // Input: 2 of 16 bits
  0x05,
  0x09,
  0x19,
  0x01,
  0x29,
  0x10, // Usage page: buttons 1 to 16
  0x15,
  0x00,
  0x25,
  0x01,
  0x75,
  0x01,
  0x95,
  0x10,
  0x81,
  0x02, // Input: 16 of 1 bit
  0x05,
  0x01,
  0x09,
  0x39, // Usage: hat switch, the directional pad
  0x15,
  0x01,
  0x25,
  0x08,
  0x75,
  0x04,
  0x95,
  0x01,
  0x81,
  0x42, // Input: 1 to 8, or none
  0x75,
  0x04,
  0x95,
  0x01,
  0x81,
  0x03, // Padding: 4 bits
  0xc0,
  0xc0, // End of both collections
]);

const REPORT_BYTES = 15;
const TRIGGERS_AT = 8;
const BUTTONS_AT = 12;
const HAT_AT = 14;
const MAX_TRIGGER = 0x7fff;

/** Bits of the W3C's standard buttons, as Linux numbers those of a game pad from `BTN_GAMEPAD` on. */
const bits: Readonly<Record<number, number>> = {
  0: 0,
  1: 1,
  2: 3,
  3: 4,
  4: 6,
  5: 7,
  8: 10,
  9: 11,
  10: 13,
  11: 14,
  16: 12,
};
const LEFT_TRIGGER = 6;
const RIGHT_TRIGGER = 7;
const [UP, DOWN, LEFT, RIGHT] = [12, 13, 14, 15];

/** What of a controller is pressed, and where its sticks are, by the W3C's standard numbers. */
export class GamepadState {
  readonly #pressed = new Set<number>();
  readonly #axes = [0, 0, 0, 0];

  /** Returns whether that changed anything. */
  press(button: number, isPressed: boolean): boolean {
    if (this.#pressed.has(button) === isPressed || button > 16) return false;
    if (isPressed) this.#pressed.add(button);
    else this.#pressed.delete(button);
    return true;
  }

  /** `value` from -1, left or up, to 1. Returns whether that changed anything. */
  move(axis: number, value: number): boolean {
    if (axis >= this.#axes.length || this.#axes[axis] === value) return false;
    this.#axes[axis] = value;
    return true;
  }

  report(): Uint8Array {
    const report = new Uint8Array(REPORT_BYTES);
    const view = new DataView(report.buffer);
    for (const [axis, value] of this.#axes.entries())
      view.setUint16(axis * 2, Math.min(0xffff, Math.round((value + 1) * 0x8000)), true);
    view.setUint16(TRIGGERS_AT, this.#pressed.has(LEFT_TRIGGER) ? MAX_TRIGGER : 0, true);
    view.setUint16(TRIGGERS_AT + 2, this.#pressed.has(RIGHT_TRIGGER) ? MAX_TRIGGER : 0, true);
    let buttons = 0;
    for (const button of this.#pressed) buttons |= bits[button] === undefined ? 0 : 1 << bits[button];
    view.setUint16(BUTTONS_AT, buttons, true);
    report[HAT_AT] = this.#hat();
    return report;
  }

  /** 1 to 8, clockwise from above; 0 for none. */
  #hat(): number {
    const side = (one: number, other: number) => Number(this.#pressed.has(one)) - Number(this.#pressed.has(other));
    const [x, y] = [side(RIGHT, LEFT), side(DOWN, UP)];
    return [
      [8, 1, 2],
      [7, 0, 3],
      [6, 5, 4],
    ][y + 1]?.[x + 1] as number;
  }
}
