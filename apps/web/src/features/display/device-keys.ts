/** The codes of the player's own buttons, which are Qt's key numbers. */
const deviceKeys = {
  volumeUp: 0x01000072,
  volumeDown: 0x01000070,
  power: 0x0100010b,
  back: 0x01000061,
  home: 0x01000010,
  recents: 0x010000be,
} as const;
export type DeviceKey = keyof typeof deviceKeys;

/** The text that tells a button from the key of the same number, such as Home. */
const BUTTON = "0\n";

export const pressMessage = (key: DeviceKey) => ({
  type: "KEYBOARD_PRESS",
  keychar: BUTTON,
  keycode: deviceKeys[key],
});
export const releaseMessage = (key: DeviceKey) => ({
  type: "KEYBOARD_RELEASE",
  keychar: BUTTON,
  keycode: deviceKeys[key],
});

/** Turns the device by a quarter; the picture follows by itself. */
export const rotateMessage = { type: "ROTATE" } as const;
