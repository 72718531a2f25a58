const SHIFT = 0x1;
const CAPS_LOCK = 0x100000;

/** Key codes of `android.view.KeyEvent` that the system or a list listens to. */
export const keys = {
  home: 3,
  back: 4,
  call: 5,
  endCall: 6,
  up: 19,
  down: 20,
  left: 21,
  right: 22,
  center: 23,
  volumeUp: 24,
  volumeDown: 25,
  power: 26,
  tab: 61,
  space: 62,
  enter: 66,
  backspace: 67,
  menu: 82,
  notification: 83,
  search: 84,
  escape: 111,
  delete: 112,
  moveHome: 122,
  moveEnd: 123,
  numpadEnter: 160,
  mute: 164,
  appSwitch: 187,
  sleep: 223,
  wakeUp: 224,
  allApps: 284,
} as const;

const first = { zero: 7, a: 29, numpadZero: 144 };
const shiftedDigits = ")!@#$%^&*(";

/** Keys with signs on a US keyboard: plain and with shift. */
const signs: Record<number, [string, string]> = {
  17: ["*", "*"],
  18: ["#", "#"],
  55: [",", "<"],
  56: [".", ">"],
  62: [" ", " "],
  68: ["`", "~"],
  69: ["-", "_"],
  70: ["=", "+"],
  71: ["[", "{"],
  72: ["]", "}"],
  73: ["\\", "|"],
  74: [";", ":"],
  75: ["'", '"'],
  76: ["/", "?"],
  77: ["@", "@"],
  81: ["+", "+"],
  154: ["/", "/"],
  155: ["*", "*"],
  156: ["-", "-"],
  157: ["+", "+"],
  158: [".", "."],
};

/** What a key of a US keyboard writes, or undefined when it writes nothing. */
export function keyText(code: number, metaState: number): string | undefined {
  const shift = (metaState & SHIFT) !== 0;
  if (code >= first.zero && code < first.zero + 10) {
    const digit = code - first.zero;
    return shift ? shiftedDigits[digit] : String(digit);
  }
  if (code >= first.numpadZero && code < first.numpadZero + 10) return String(code - first.numpadZero);
  if (code >= first.a && code < first.a + 26) {
    const letter = String.fromCodePoint(97 + code - first.a);
    const capital = shift !== ((metaState & CAPS_LOCK) !== 0);
    return capital ? letter.toUpperCase() : letter;
  }
  return signs[code]?.[shift ? 1 : 0];
}
