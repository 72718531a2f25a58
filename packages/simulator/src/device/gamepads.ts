/** A controller that a host has plugged in over scrcpy. */
export interface Gamepad {
  name: string;
  vendorId: number;
  productId: number;
  /** Its last report, in the layout of scrcpy's own controller. */
  report: Uint8Array;
}

/** Where the buttons and the directional pad are in a report, after four axes and two triggers of two bytes each. */
const BUTTONS_AT = 12;
const HAT_AT = 14;
/** Buttons as the report numbers them; Android's key codes of those that do something without a game. */
const keyOfButton: Record<number, number> = { 0: 23, 1: 4 };
const UP = 19;
const DOWN = 20;
const LEFT = 21;
const RIGHT = 22;
/** The hat's eight directions from 1, clockwise from above. */
const keysOfHat = [[], [UP], [UP, RIGHT], [RIGHT], [DOWN, RIGHT], [DOWN], [DOWN, LEFT], [LEFT], [UP, LEFT]];

/** Which of its buttons are down. */
export function buttonsOf({ report }: Gamepad): number[] {
  const bits = (report[BUTTONS_AT] ?? 0) | ((report[BUTTONS_AT + 1] ?? 0) << 8);
  return Array.from({ length: 16 }, (_, button) => button).filter((button) => (bits >> button) & 1);
}

/** The four axes of its sticks, from -1 to 1. */
export function axesOf({ report }: Gamepad): number[] {
  const view = new DataView(report.buffer, report.byteOffset, report.byteLength);
  return [0, 2, 4, 6].map((at) => (at + 2 <= report.length ? (view.getUint16(at, true) - 0x8000) / 0x8000 : 0));
}

/** The keys that Android presses in place of the buttons that no app has taken. */
export function keysOf(pad: Gamepad): number[] {
  const ofButtons = buttonsOf(pad).flatMap((button) => keyOfButton[button] ?? []);
  return [...ofButtons, ...(keysOfHat[pad.report[HAT_AT] ?? 0] ?? [])];
}
