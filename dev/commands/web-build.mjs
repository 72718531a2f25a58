import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./child.mjs";
import { root } from "./root.mjs";
import { say } from "./say.mjs";

/** The inputs of the build; package-lock.json stands for all third-party packages. */
export const SOURCES = [
  "package-lock.json",
  "apps/web",
  "packages/contract",
  "packages/sdk",
  "README.md",
  ...filesUnder(root, "docs").filter((file) => file.endsWith(".md")),
];
/** The hash of the sources of the build. It is inside the build's folder, so it is deleted along with the build. */
const STAMP = join(root, "apps/web/dist/.made-of");

/**
 * Builds the web app into apps/web/dist, unless its sources are those of the last build.
 * @param {string} node24 the path of the program
 */
export async function buildWeb(node24) {
  const hash = hashOf(SOURCES.flatMap((source) => filesUnder(root, source)));
  if (stampOf(STAMP) === hash) return say("web", "already built");
  say("web", "building");
  for (const build of [
    ["apps/web"],
    ["-c", "apps/web/vite.prerender.config.ts"],
    ["-c", "apps/web/vite.embed.config.ts"],
  ]) {
    const code = await run(node24, ["node_modules/vite/bin/vite.js", "build", ...build, "--logLevel", "error"]);
    if (code !== 0) throw new Error(`vite build failed with exit code ${code}; see its output above.`);
  }
  writeFileSync(STAMP, hash);
  say("web", "built");
}

/**
 * The source files under a path: no tests, no build output, no installed packages.
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
