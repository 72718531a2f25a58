import { numberWithin } from "../json.ts";

/** Splits off `count` words; `rest` is whatever follows, spaces included. */
export function words(command: string, count: number): { words: string[]; rest: string } {
  const found: string[] = [];
  let rest = command;
  while (found.length < count) {
    const space = rest.indexOf(" ");
    if (space < 0) return { words: [...found, rest], rest: "" };
    found.push(rest.slice(0, space));
    rest = rest.slice(space + 1);
  }
  return { words: found, rest };
}

/** A plain decimal number between `min` and `max`, inclusive. */
export function decimalWithin(text: string | undefined, min: number, max: number): number | undefined {
  return text !== undefined && /^-?\d{1,15}(\.\d{1,20})?$/.test(text)
    ? numberWithin(Number(text), min, max)
    : undefined;
}

/** A whole number between `min` and `max`, inclusive. */
export function wholeWithin(text: string | undefined, min: number, max: number): number | undefined {
  return text !== undefined && /^-?\d{1,15}$/.test(text) ? numberWithin(Number(text), min, max) : undefined;
}

/** `text` when it is one of `allowed`. */
export function oneOf<Word extends string>(allowed: readonly Word[], text: string | undefined): Word | undefined {
  return allowed.find((word) => word === text);
}
