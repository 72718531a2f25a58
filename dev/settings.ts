// Checks that the README's table of settings matches the schemas of the server and its runtimes; with --write, writes it.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runtimePackages } from "../apps/server/src/runtimes.ts";
import { Environment } from "../apps/server/src/settings.ts";
import { root } from "./commands/root.mjs";
import { formatted } from "./formatted.ts";
import { settingsTable, withTable } from "./settings/table.ts";

const FILE = join(root, "README.md");

const runtimes = await Promise.all(Object.values(runtimePackages).map(async (load) => (await load()).runtime));
const schemas = [Environment, ...runtimes.map(({ settings }) => settings)];
const present = readFileSync(FILE, "utf8");
const wanted = await formatted(FILE, withTable(present, settingsTable(schemas)));
if (process.argv.includes("--write")) {
  writeFileSync(FILE, wanted);
} else if (present !== wanted) {
  console.error("The table of settings in README.md does not match the schemas: npm run generate");
  process.exitCode = 1;
}
