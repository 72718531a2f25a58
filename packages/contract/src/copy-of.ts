import { limits } from "./limits.ts";

/** The default name of a copy. A long name loses its end. */
export function copyOf(name: string): string {
  let copy = "Copy of ";
  for (const character of name) {
    if (copy.length + character.length > limits.textLength) break;
    copy += character;
  }
  return copy;
}
