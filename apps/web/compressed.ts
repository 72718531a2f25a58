import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import zlib from "node:zlib";
import type { Plugin } from "vite";

const gzip = promisify(zlib.gzip);
const brotli = promisify(zlib.brotliCompress);
/** The last steps up to 11 cost seconds of each start and win little. */
const quality = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 9 } };

/** Beside each text file lies what a server may send instead: for browsers that take it, a third of the bytes. */
export const compressed: Plugin = {
  name: "compressed",
  apply: "build",
  // Not `closeBundle`: that also runs when the build failed, and its own error would be shown in place of the reason.
  async writeBundle() {
    const dist = join(import.meta.dirname, "dist");
    const names = await readdir(dist, { recursive: true });
    // What a build before this one has left is as it was.
    const done = new Set(names.filter((name) => name.endsWith(".br")).map((name) => name.slice(0, -".br".length)));
    await Promise.all(
      names
        .filter((name) => /\.(js|css|html|svg)$/.test(name) && !done.has(name))
        .map(async (name) => {
          const file = join(dist, name);
          const bytes = await readFile(file);
          const packed = { ".gz": await gzip(bytes, { level: 9 }), ".br": await brotli(bytes, quality) };
          await Promise.all(Object.entries(packed).map(([ending, content]) => writeFile(file + ending, content)));
        }),
    );
  },
};
