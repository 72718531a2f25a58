// Checks the licences of the packages that we ship, and that NOTICE and the bill of materials list them; with --write, writes the lists.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "./commands/root.mjs";
import { isAllowed, licenceOf } from "./licences/licence.ts";
import { withList } from "./licences/notice.ts";
import { sbomOf } from "./licences/sbom.ts";
import { packagesShippedWith, type LockFile } from "./licences/shipped-packages.ts";

/** The workspaces that users run; what only builds or tests them is not shipped. */
const SHIPPED = ["apps/server", "apps/web"];
const NOTICE = join(root, "NOTICE");
const SBOM = join(root, "docs/sbom.cdx.json");

const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as LockFile;
const packages = packagesShippedWith(lock, SHIPPED).map((found) => ({
  ...found,
  licence: licenceOf(found.name, found.licence),
}));
const faults = packages
  .filter(({ licence }) => !isAllowed(licence))
  .map(({ name, version, licence }) => `${name} ${version} may not be shipped: its licence is ${licence ?? "unknown"}`);

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
const generated = [
  { path: NOTICE, text: withList(readFileSync(NOTICE, "utf8"), packages) },
  { path: SBOM, text: sbomOf(version, packages) },
];
for (const { path, text } of generated) {
  if (process.argv.includes("--write")) writeFileSync(path, text);
  else if (!existsSync(path) || readFileSync(path, "utf8") !== text)
    faults.push(`${relative(root, path)} is not up to date: npm run generate`);
}

for (const fault of faults) console.error(fault);
console.log(`${packages.length} packages, ${faults.length} faults`);
process.exitCode = faults.length > 0 ? 1 : 0;
