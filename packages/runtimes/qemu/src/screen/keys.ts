/** Keys by their place, in set 1 of scan codes; those with the prefix E0 have 0x80 added. */
const SHIFT = 0x2a;
const META = 0xdb;
const TAB = 0x0f;
const ENTER = 0x1c;
const SPACE = 0x39;

/** The rows of a keyboard, each from the first key's number on, without and with shift. */
const rows: readonly (readonly [first: number, plain: string, shifted: string])[] = [
  [0x02, "1234567890-=", "!@#$%^&*()_+"],
  [0x10, "qwertyuiop[]", "QWERTYUIOP{}"],
  [0x1e, "asdfghjkl;'`", 'ASDFGHJKL:"~'],
  [0x2b, "\\zxcvbnm,./", "|ZXCVBNM<>?"],
];

const characters = new Map<string, readonly number[]>([
  [" ", [SPACE]],
  ["\n", [ENTER]],
  ["\t", [TAB]],
]);
for (const [first, plain, shifted] of rows)
  for (const [at, character] of plain.split("").entries()) {
    characters.set(character, [first + at]);
    characters.set(shifted[at]!, [SHIFT, first + at]);
  }

/** What is pressed, one after the other, to type a character; undefined of one that the keyboard does not have. */
export const keysToType = (character: string): readonly number[] | undefined => characters.get(character);

const placeOf = (character: string) => characters.get(character)![0]!;
const series = (from: number, list: Iterable<string>): [number, number[]][] =>
  [...list].map((character, at) => [from + at, [placeOf(character)]]);

/** By Android's `KeyEvent`: what of a keyboard stands for it. */
const places = new Map<number, readonly number[]>([
  ...series(7, "0123456789"),
  ...series(29, "abcdefghijklmnopqrstuvwxyz"),
  ...series(55, ",."),
  ...series(68, "`-=[]\\;'/"),
  ...Array.from({ length: 10 }, (_, at): [number, number[]] => [131 + at, [0x3b + at]]),
  ...(
    [
      [3, 0xb2],
      [4, 0xea],
      [19, 0xc8],
      [20, 0xd0],
      [21, 0xcb],
      [22, 0xcd],
      [23, ENTER],
      [24, 0xb0],
      [25, 0xae],
      [26, 0xde],
      [57, 0x38],
      [58, 0xb8],
      [59, SHIFT],
      [60, 0x36],
      [61, TAB],
      [62, SPACE],
      [66, ENTER],
      [67, 0x0e],
      [82, 0x9e],
      [92, 0xc9],
      [93, 0xd1],
      [111, 0x01],
      [112, 0xd3],
      [113, 0x1d],
      [114, 0x9d],
      [117, META],
      [118, 0xdc],
      [122, 0xc7],
      [123, 0xcf],
      [124, 0xd2],
      [141, 0x57],
      [142, 0x58],
      [164, 0xa0],
    ] as const
  ).map(([key, place]): [number, number[]] => [key, [place]]),
  // No keyboard has a key for the apps used last: Android takes these.
  [187, [META, TAB]],
]);

/** The keys that stand for one of Android's, one after the other; undefined if there is none. */
export const keysFor = (androidKey: number): readonly number[] | undefined => places.get(androidKey);
