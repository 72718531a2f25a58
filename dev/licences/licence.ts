/** Licences of parts that may go with the product, which is under Apache-2.0. */
const ALLOWED = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  // Asks for the source of its own files only.
  "MPL-2.0",
  // Fonts.
  "OFL-1.1",
  "PostgreSQL",
  "Unlicense",
  "Zlib",
]);

/** What packages that do not say it in the usual words are under, read from the LICENSE file inside them. */
const READ_BY_US: Record<string, string> = {
  "@shinyoshiaki/jspack": "BSD-3-Clause",
  "xmlhttprequest-ssl": "MIT",
};

/**
 * The SPDX expression of a package's licence.
 * @param said what its package.json has
 */
export function licenceOf(name: string, said: string | undefined): string | undefined {
  return said === "MPL 2.0" ? "MPL-2.0" : (said ?? READ_BY_US[name]);
}

/** Whether a package under this licence may go with the product: of an "OR" one side must allow it, of an "AND" both. */
export function isAllowed(licence: string | undefined): boolean {
  const choices = licence?.replaceAll(/[()]/g, "").split(" OR ") ?? [];
  return choices.some((choice) => choice.split(" AND ").every((part) => ALLOWED.has(part)));
}
