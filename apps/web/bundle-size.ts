import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/** What a browser may have to load before it can show the sign-in page: JavaScript, gzipped, in bytes. */
const MAX_BYTES = 210_000;
/** What every page needs, and the sign-in page, which is part of it. */
const ENTRY = "index.html";

interface Chunk {
  file: string;
  imports?: string[];
}

const dist = join(import.meta.dirname, "dist");
const manifest = JSON.parse(await readFile(join(dist, ".vite/manifest.json"), "utf8")) as Record<string, Chunk>;

/** The files that one pulls in, itself among them; what is loaded later does not count. */
function filesOf(name: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[name];
  if (!chunk) throw new Error(`${name} is not in the build`);
  if (seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const used of chunk.imports ?? []) filesOf(used, seen);
  return seen;
}

const scripts = [...filesOf(ENTRY)].map((file) => join(dist, file));
const sizes = await Promise.all(
  [...scripts, join(dist, "before-app.js")].map(async (path) => {
    const bytes = gzipSync(await readFile(path), { level: 9 }).length;
    return { name: path.slice(dist.length + 1), bytes };
  }),
);
const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
const line = (name: string, bytes: number) => `  ${(bytes / 1000).toFixed(1).padStart(6)} kB  ${name}`;

console.log("JavaScript of the sign-in page, gzipped:");
for (const { name, bytes } of sizes.sort((one, other) => other.bytes - one.bytes)) console.log(line(name, bytes));
console.log(line(`in all, of ${MAX_BYTES / 1000} kB`, total));
if (total > MAX_BYTES) {
  console.error(`The sign-in page is ${((total - MAX_BYTES) / 1000).toFixed(1)} kB too large.`);
  process.exitCode = 1;
}
