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

/** The text that distinguishes a button, such as Home, from the key of the same number. */
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

const CONTROL = 0x01000021;

/**
 * What a key is to the device that the player leaves to the page: a letter with Ctrl, Alt or Command, and keys that Android
 * has no use for. The browser must not act on these (Ctrl+A would select the page). Undefined for plain text, which the
 * player sends from a later event. The player has sent Ctrl and Alt itself; Command stands for Ctrl.
 */
export function keyMessages(
  event: Pick<KeyboardEvent, "key" | "ctrlKey" | "altKey" | "metaKey" | "getModifierState">,
): object[] | undefined {
  // Keys without a character have names, such as `Enter` and `F3`.
  const isCharacter = !/^[A-Z][A-Za-z\d]+$/.test(event.key);
  const isLetter = /^[a-z\d]$/i.test(event.key);
  // AltGr counts as Ctrl and Alt on Windows, and Option as Alt on a Mac; both write characters.
  const writes = event.getModifierState("AltGraph") || (event.altKey && !event.ctrlKey && !isLetter);
  if (isCharacter && (writes || !(event.ctrlKey || event.altKey || event.metaKey))) return undefined;
  // Dead keys and input methods write too.
  if (!isCharacter) return /^(Dead|Process|Unidentified|AltGraph)$/.test(event.key) ? undefined : [];
  if (!isLetter) return [];
  const key = (type: string, keychar: string, keycode: number) => ({ type, keychar, keycode });
  const letter = event.key.toLowerCase();
  const press = [
    key("KEYBOARD_PRESS", letter, letter.codePointAt(0) ?? 0),
    key("KEYBOARD_RELEASE", letter, letter.codePointAt(0) ?? 0),
  ];
  return event.metaKey && !event.ctrlKey
    ? [key("KEYBOARD_PRESS", "", CONTROL), ...press, key("KEYBOARD_RELEASE", "", CONTROL)]
    : press;
}
