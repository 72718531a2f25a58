import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./child.mjs";
import { root } from "./root.mjs";
import { say } from "./say.mjs";

/** What the built pages are made of; package-lock.json stands for every package from outside. */
const SOURCES = ["package-lock.json", "apps/web", "packages/contract", "packages/sdk"];
/** Holds the hash of the sources a build was made of. It is inside, so a build that is thrown away takes it along. */
const STAMP = join(root, "apps/web/dist/.made-of");

/**
 * Builds the web app into apps/web/dist when its sources are not those of the last build.
 * @param {string} node24 the path of the program
 */
export async function buildWeb(node24) {
  const hash = hashOf(SOURCES.flatMap((source) => filesUnder(root, source)));
  if (stampOf(STAMP) === hash) return say("web", "is built");
  say("web", "building");
  const code = await run(node24, ["node_modules/vite/bin/vite.js", "build", "apps/web", "--logLevel", "warn"]);
  if (code !== 0) throw new Error(`vite build ended with code ${code}; what it printed is above.`);
  writeFileSync(STAMP, hash);
  say("web", "built");
}

/**
 * The files under a path that a build can see: no tests, nothing made or installed.
 * @param {string} folder
 * @param {string} path relative to the folder
 * @returns {string[]} paths relative to the folder
 */
export function filesUnder(folder, path) {
  if (/(^|\/)(dist|node_modules|__screenshots__)$|\.test\.tsx?$/.test(path)) return [];
  if (!statSync(join(folder, path)).isDirectory()) return [path];
  return readdirSync(join(folder, path))
    .toSorted()
    .flatMap((name) => filesUnder(folder, `${path}/${name}`));
}

/** @param {readonly string[]} files */
function hashOf(files) {
  const hash = createHash("sha256");
  for (const file of files) {
    const content = readFileSync(join(root, file));
    hash.update(`${file} ${content.length}\n`).update(content);
  }
  return hash.digest("hex");
}

/** @param {string} file */
function stampOf(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
