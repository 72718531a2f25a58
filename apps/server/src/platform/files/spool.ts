import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { FileTooLargeError, type PutOptions } from "./file-store.ts";

/** A temporary file that is complete, and on disk. */
export interface Spooled {
  path: string;
  /** Distinguishes the file from another that was put in its place. */
  inode: number;
  size: number;
  sha256: string;
}

/** No upload takes longer than this. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;

/**
 * Writes a stream to a new file, readable by its owner only, and flushes it to disk. On failure the file is deleted.
 * @throws EEXIST; FileTooLargeError over `maxBytes`; the signal's reason; whatever the stream throws.
 */
export async function spool(
  path: string,
  content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  { maxBytes, signal }: PutOptions,
): Promise<Spooled> {
  const file = await open(path, "wx", 0o600);
  const { ino: inode } = await file.stat();
  try {
    const hash = createHash("sha256");
    let size = 0;
    for await (const chunk of content) {
      signal?.throwIfAborted();
      size += chunk.byteLength;
      if (size > maxBytes) throw new FileTooLargeError(maxBytes);
      hash.update(chunk);
      await file.writeFile(chunk);
    }
    signal?.throwIfAborted();
    await file.sync();
    await file.close();
    return { path, inode, size, sha256: hash.digest("hex") };
  } catch (error) {
    await file.close().catch(() => undefined);
    await discard({ path, inode });
    throw error;
  }
}

/** Deletes the file, unless another is in its place by now. */
export async function discard({ path, inode }: Pick<Spooled, "path" | "inode">): Promise<void> {
  if (await isInPlace({ path, inode })) await rm(path, { force: true });
}

/** Whether the path still names this file. */
export async function isInPlace({ path, inode }: Pick<Spooled, "path" | "inode">): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.ino === inode;
}

/** Creates the directory, and deletes files that killed processes left in it a day or more ago, by the clock of its file system. */
export async function openSpool(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  const probe = join(directory, randomUUID());
  await (await open(probe, "wx")).close();
  const now = (await stat(probe)).mtimeMs;
  await rm(probe);
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    const found = await stat(path).catch(() => undefined);
    if (found && now - found.mtimeMs > ABANDONED_MS) await rm(path, { force: true });
  }
}
