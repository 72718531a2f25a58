import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { writeWhole } from "../../platform/files/write-whole.ts";

/** The key in the file; undefined if there is none. */
export async function readAdbKey(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
}

/** Writes the key, complete and on disk, for its owner only. */
export async function writeAdbKey(path: string, key: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeWhole(path, [key]);
}
