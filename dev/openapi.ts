// Checks that docs/openapi.json matches the contract; with --write, writes it, and what has changed into docs/CHANGES.md.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { contract, nounTags, openApiDocument } from "../packages/contract/src/index.ts";
import { type ApiDocument, apiChanges, withChanges } from "./api-changes.ts";
import { root } from "./commands/root.mjs";
import { formatted } from "./formatted.ts";

const FILE = join(root, "docs/openapi.json");
const CHANGES = join(root, "docs/CHANGES.md");

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
const wanted = await formatted(FILE, JSON.stringify(openApiDocument(contract, nounTags, version)));
if (process.argv.includes("--write")) {
  const page = readFileSync(CHANGES, "utf8");
  const lines = apiChanges(JSON.parse(readFileSync(FILE, "utf8")) as ApiDocument, JSON.parse(wanted) as ApiDocument);
  writeFileSync(CHANGES, withChanges(page, lines, new Date().toISOString().slice(0, 10)));
  writeFileSync(FILE, wanted);
} else if (readFileSync(FILE, "utf8") !== wanted) {
  console.error("docs/openapi.json does not match the contract: npm run generate");
  process.exitCode = 1;
}
