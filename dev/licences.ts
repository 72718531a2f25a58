// Checks the licences of the packages that we ship, and that NOTICE lists them; with --write, writes the list.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./commands/root.mjs";
import { isAllowed, licenceOf } from "./licences/licence.ts";
import { withList } from "./licences/notice.ts";
import { packagesShippedWith, type LockFile } from "./licences/shipped-packages.ts";

/** The workspaces that users run; what only builds or tests them is not shipped. */
const SHIPPED = ["apps/server", "apps/web"];
const NOTICE = join(root, "NOTICE");

const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as LockFile;
const packages = packagesShippedWith(lock, SHIPPED).map((found) => ({
  ...found,
  licence: licenceOf(found.name, found.licence),
}));
const faults = packages
  .filter(({ licence }) => !isAllowed(licence))
  .map(({ name, version, licence }) => `${name} ${version} may not be shipped: its licence is ${licence ?? "unknown"}`);

const notice = readFileSync(NOTICE, "utf8");
const wanted = withList(notice, packages);
if (process.argv.includes("--write")) writeFileSync(NOTICE, wanted);
else if (notice !== wanted) faults.push("NOTICE is not up to date: npm run generate");

for (const fault of faults) console.error(fault);
console.log(`${packages.length} packages, ${faults.length} faults`);
process.exitCode = faults.length > 0 ? 1 : 0;
