/** Licences of packages that we may ship with our product, which is under Apache-2.0. */
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
  // Copyleft for its own files only.
  "MPL-2.0",
  // Fonts.
  "OFL-1.1",
  "PostgreSQL",
  // Of Python's authors: as permissive as MIT.
  "PSF-2.0",
  "Unlicense",
  "Zlib",
]);

/** Licences of packages whose package.json has none, from their LICENSE file. */
const FROM_LICENSE_FILE: Record<string, string> = {
  "png-js": "MIT",
  "xmlhttprequest-ssl": "MIT",
};

/**
 * The SPDX expression of a package's licence.
 * @param declared the licence in its package.json
 */
export function licenceOf(name: string, declared: string | undefined): string | undefined {
  return declared === "MPL 2.0" ? "MPL-2.0" : (declared ?? FROM_LICENSE_FILE[name]);
}

/** Whether we may ship a package with this SPDX expression: for `OR` one side must be allowed, for `AND` both. */
export function isAllowed(licence: string | undefined): boolean {
  const choices = licence?.replaceAll(/[()]/g, "").split(" OR ") ?? [];
  return choices.some((choice) => choice.split(" AND ").every((part) => ALLOWED.has(part)));
}
