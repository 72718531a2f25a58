// Checks that packages/contract/src/wire.generated.ts matches the contract; with --write, writes it.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { contract, type Route, wireOf } from "../packages/contract/src/index.ts";
import { root } from "./commands/root.mjs";
import { formatted } from "./formatted.ts";

const FILE = join(root, "packages/contract/src/wire.generated.ts");

const table = Object.entries(contract).map(([noun, routes]) => {
  const verbs = Object.entries(routes as Record<string, Route>).map(
    ([verb, route]) => `${verb}: ${JSON.stringify(wireOf(route))},`,
  );
  return `${noun}: {\n${verbs.join("\n")}\n},`;
});
const text = `/** Every route as clients need it. Generated from the contract by \`npm run generate\`. */
export const wire = {\n${table.join("\n")}\n} as const;\n`;
const wanted = await formatted(FILE, text);
if (process.argv.includes("--write")) writeFileSync(FILE, wanted);
else if (readFileSync(FILE, "utf8") !== wanted) {
  console.error("packages/contract/src/wire.generated.ts does not match the contract: npm run generate");
  process.exitCode = 1;
}
