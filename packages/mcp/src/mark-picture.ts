import { PNG } from "pngjs";
import type { Element } from "./elements.ts";

export type { Element } from "./elements.ts";

/** The longer side of what is shown: models see no more of it, and pay for it. */
const MAX_SIDE = 1200;
const COLOUR = [0xd0, 0x10, 0x50] as const;
const WHITE = [0xff, 0xff, 0xff] as const;
/** Five rows of three pixels for each digit. */
const DIGITS = [
  [7, 5, 5, 5, 7],
  [2, 6, 2, 2, 7],
  [7, 1, 7, 4, 7],
  [7, 1, 7, 1, 7],
  [5, 5, 7, 1, 1],
  [7, 4, 7, 1, 7],
  [7, 4, 7, 5, 7],
  [7, 1, 1, 1, 1],
  [7, 5, 7, 5, 7],
  [7, 5, 7, 1, 7],
] as const;
/** Pixels of the picture for one of a digit. */
const DOT = 3;

/**
 * A screenshot, made smaller, with a frame around each element and its number at its corner.
 * @throws Error if it is no PNG
 */
export function markPicture(png: Buffer, elements: readonly Element[]): Buffer {
  const whole = PNG.sync.read(png);
  const factor = Math.max(1, Math.ceil(Math.max(whole.width, whole.height) / MAX_SIDE));
  const picture = shrink(whole, factor);
  for (const { number, bounds } of elements) {
    const [left, top, right, bottom] = bounds.map((pixel) => Math.round(pixel / factor));
    frame(picture, [left!, top!, right!, bottom!]);
    const digits = String(number);
    // Beside the element if there is room, so that its own words stay legible.
    const beside = left! - widthOf(digits);
    writeNumber(picture, digits, beside >= 0 ? beside : Math.max(0, left!), Math.max(0, top!));
  }
  return PNG.sync.write(picture);
}

/** The mean of each square. */
function shrink(from: PNG, factor: number): PNG {
  const to = new PNG({ width: Math.floor(from.width / factor), height: Math.floor(from.height / factor) });
  for (let y = 0; y < to.height; y++)
    for (let x = 0; x < to.width; x++)
      for (let channel = 0; channel < 3; channel++) {
        let sum = 0;
        for (let row = 0; row < factor; row++)
          for (let column = 0; column < factor; column++)
            sum += from.data[((y * factor + row) * from.width + x * factor + column) * 4 + channel]!;
        to.data[(y * to.width + x) * 4 + channel] = sum / factor ** 2;
      }
  for (let alpha = 3; alpha < to.data.length; alpha += 4) to.data[alpha] = 0xff;
  return to;
}

/** Only what lies within the picture. */
function fill(picture: PNG, [left, top, right, bottom]: readonly number[], colour: readonly number[]): void {
  for (let y = Math.max(0, top!); y < Math.min(picture.height, bottom!); y++)
    for (let x = Math.max(0, left!); x < Math.min(picture.width, right!); x++)
      picture.data.set(colour, (y * picture.width + x) * 4);
}

function frame(picture: PNG, [left, top, right, bottom]: [number, number, number, number]): void {
  fill(picture, [left, top, right, top + 1], COLOUR);
  fill(picture, [left, bottom - 1, right, bottom], COLOUR);
  fill(picture, [left, top, left + 1, bottom], COLOUR);
  fill(picture, [right - 1, top, right, bottom], COLOUR);
}

const widthOf = (digits: string): number => (digits.length * 4 + 1) * DOT;

function writeNumber(picture: PNG, digits: string, left: number, top: number): void {
  fill(picture, [left, top, left + widthOf(digits), top + 7 * DOT], COLOUR);
  Array.from(digits, Number).forEach((digit, index) =>
    DIGITS[digit]!.forEach((row, y) => {
      for (let x = 0; x < 3; x++) {
        const at = [left + (index * 4 + 1 + x) * DOT, top + (1 + y) * DOT] as const;
        if (row & (4 >> x)) fill(picture, [...at, at[0] + DOT, at[1] + DOT], WHITE);
      }
    }),
  );
}
