// Checks who may import whom in the whole tree; the rules are in directions/rules.ts.
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./commands/root.mjs";
import { brokenRules, type Workspace } from "./directions/check.ts";

interface PackageJson {
  name: string;
  dependencies?: object;
  devDependencies?: object;
  optionalDependencies?: object;
  peerDependencies?: object;
}

function workspaceAt(path: string): Workspace {
  const json = JSON.parse(readFileSync(join(root, path), "utf8")) as PackageJson;
  const { name, dependencies, devDependencies, optionalDependencies, peerDependencies } = json;
  const needs = new Set(
    Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies }),
  );
  return { folder: path === "package.json" ? "" : dirname(path), name, needs };
}

const find = (pattern: string) => globSync(pattern, { cwd: root, exclude: ["**/node_modules/**", "**/dist/**"] });

const workspaces = find("{package.json,{apps,packages,packages/runtimes,.}/*/package.json}").map(workspaceAt);
const files = find("{*,{apps,packages,dev,e2e,bench}/**/*}.{ts,tsx,mts}");
const broken = brokenRules(
  files.map((path) => ({ path, source: readFileSync(join(root, path), "utf8") })),
  workspaces,
);
for (const line of broken) console.error(line);
console.log(`${files.length} files, ${broken.length} broken directions`);
process.exitCode = broken.length > 0 ? 1 : 0;
