const SEPARATORS = /[\s,;]+/u;

/** Whether a text that is being typed holds more than one address, or one that has come to its end. */
export const endsAnEmail = (text: string): boolean => SEPARATORS.test(text.trimStart());

/** A name that stands before its address, as mail programs copy it: `Kim Moss <kim@demo.test>`. */
const NAMED = /(?:"[^"]*"|[^",;<>\n]*)\s*<([^<>\s]+)>/g;

/** The addresses in a text, which commas, semicolons or white space separate. What is no address is among them, as it was typed. */
export const emailsOf = (text: string): string[] => text.replaceAll(NAMED, " $1 ").split(SEPARATORS).filter(Boolean);

/** A list with more addresses at its end. Those that it has already, in capitals or not, are not added. */
export function withEmails(list: readonly string[], more: readonly string[]): string[] {
  const known = new Set<string>();
  return [...list, ...more].filter((email) => {
    const key = email.toLowerCase();
    return !known.has(key) && known.add(key);
  });
}
