import { AdbError } from "../errors.ts";

/** Characters that mean nothing to any shell; `~` and `=` do at the start of a word, so they are not among them. */
const PLAIN = /^[A-Za-z0-9_@%+:,./-]+$/;

/**
 * Quotes one word for the device's shell: `$(id)`, `;reboot`, quotes and newlines arrive unchanged.
 * Throws `AdbError` `INVALID_ARGUMENT` on a NUL, which no argument of a program can hold.
 */
export function quoteShell(word: string): string {
  if (word.includes("\0")) throw new AdbError("INVALID_ARGUMENT", "an argument cannot have a NUL");
  if (PLAIN.test(word)) return word;
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** A list of words is quoted, a string is left as it is. Throws `AdbError` `INVALID_ARGUMENT` on a NUL. */
export function commandLine(command: string | readonly string[]): string {
  if (typeof command !== "string") return command.map(quoteShell).join(" ");
  if (command.includes("\0")) throw new AdbError("INVALID_ARGUMENT", "a command cannot have a NUL");
  return command;
}
