import { AdbError } from "../errors.ts";

/** What no shell reads anything into; `~` and `=` are left out, since they mean something at the start of a word. */
const PLAIN = /^[A-Za-z0-9_@%+:,./-]+$/;

/**
 * One word for the device's shell, whatever is in it: `$(id)`, `;reboot`, quotes and newlines arrive as they are.
 * Throws `AdbError` `INVALID_ARGUMENT` on a NUL, which no argument of a program can hold.
 */
export function quoteShell(word: string): string {
  if (word.includes("\0")) throw new AdbError("INVALID_ARGUMENT", "an argument cannot have a NUL");
  if (PLAIN.test(word)) return word;
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** A command line: words are quoted, a string is taken as it is. Throws `AdbError` `INVALID_ARGUMENT` on a NUL. */
export function commandLine(command: string | readonly string[]): string {
  if (typeof command !== "string") return command.map(quoteShell).join(" ");
  if (command.includes("\0")) throw new AdbError("INVALID_ARGUMENT", "a command cannot have a NUL");
  return command;
}
