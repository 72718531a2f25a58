export type KeyAction = "shift" | "backspace" | "enter" | "symbols" | "letters" | "more";

export interface KeyCap {
  /** What it writes, or what it does. */
  write?: string;
  act?: KeyAction;
  /** Width in tenths of the row. */
  width: number;
}

const letters = (text: string): KeyCap[] => Array.from(text, (write) => ({ write, width: 1 }));
const wide = (act: KeyAction): KeyCap => ({ act, width: 1.5 });

const bottom = (act: KeyAction): KeyCap[] => [
  wide(act),
  { write: ",", width: 1 },
  { write: " ", width: 5 },
  { write: ".", width: 1 },
  wide("enter"),
];

/** The three faces of the keyboard, ten units wide; a row of fewer is centred. */
export const keyboardRows = {
  letters: [
    letters("qwertyuiop"),
    letters("asdfghjkl"),
    [wide("shift"), ...letters("zxcvbnm"), wide("backspace")],
    bottom("symbols"),
  ],
  symbols: [
    letters("1234567890"),
    letters("@#$_&-+()/"),
    [wide("more"), ...letters("*\"':;!?"), wide("backspace")],
    bottom("letters"),
  ],
  more: [
    letters("~`|•√π÷×¶∆"),
    letters("£€¥^°={}\\%"),
    [wide("symbols"), ...letters("©®™✓[]<"), wide("backspace")],
    bottom("letters"),
  ],
} satisfies Record<string, KeyCap[][]>;

export type KeyboardFace = keyof typeof keyboardRows;
