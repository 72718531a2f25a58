import { randomUUID } from "node:crypto";
import { link, mkdir, readFile, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * The name of the place where a runtime's devices of a data folder run: a random one in its file `<runtime>-place`, so that a folder that
 * is moved still has its devices' rows, and two machines with folders of the same path are two places.
 */
export async function placeOf(dataDir: string, runtime: string): Promise<string> {
  const path = join(dataDir, `${runtime}-place`);
  const known = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  });
  if (known !== undefined) return known;
  await mkdir(dataDir, { recursive: true });
  const temporary = `${path}.${randomUUID()}`;
  await writeFile(temporary, `${runtime}-${randomUUID()}`, { mode: 0o600, flag: "wx" });
  try {
    // It never replaces a file: of two processes that make one, the first wins and both use it.
    await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await unlink(temporary);
  }
  return readFile(path, "utf8");
}
