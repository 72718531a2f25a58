// Checks that docs/openapi.json matches the contract; with --write, writes it.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { contract, openApiDocument } from "../packages/contract/src/index.ts";
import { root } from "./commands/root.mjs";

const FILE = join(root, "docs/openapi.json");

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
const options = await resolveConfig(FILE);
const wanted = await format(JSON.stringify(openApiDocument(contract, version)), { ...options, parser: "json" });
if (process.argv.includes("--write")) {
  writeFileSync(FILE, wanted);
} else if (readFileSync(FILE, "utf8") !== wanted) {
  console.error("docs/openapi.json does not match the contract: npm run generate");
  process.exitCode = 1;
}
