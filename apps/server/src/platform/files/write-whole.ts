import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { discard, isInPlace, spool, type Spooled } from "./spool.ts";

/**
 * Writes a file that is complete or absent, even after a power cut: next to its place (`.part`), flushed to disk, then renamed. It replaces
 * a file of that name, and only its owner can read it. The directory must exist.
 * @throws when another process writes to the same path; whatever the content throws
 */
export async function writeWhole(
  path: string,
  content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<Spooled> {
  const temporary = `${path}.part`;
  // Left there by a process that was killed.
  await rm(temporary, { force: true });
  const spooled = await spool(temporary, content, { maxBytes: Infinity });
  try {
    await moveInto(path, spooled);
  } finally {
    await discard(spooled);
  }
  return { ...spooled, path };
}

/**
 * Moves a spooled file to its place, on the same file system. When this resolves, the rename and any directories that were created for it
 * are on disk.
 */
export async function moveInto(path: string, spooled: Spooled): Promise<void> {
  const directory = dirname(path);
  const firstMade = await mkdir(directory, { recursive: true });
  if (!(await isInPlace(spooled))) throw new Error(`Another process is writing to ${path}`);
  await rename(spooled.path, path);
  const last = firstMade === undefined ? directory : dirname(firstMade);
  for (let next = directory; ; next = dirname(next)) {
    await syncDirectory(next);
    if (next === last) return;
  }
}

/** Flushes the entries of a directory to disk. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
