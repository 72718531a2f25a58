import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { FileTooLargeError, type PutOptions } from "./file-store.ts";

export interface Spooled {
  path: string;
  size: number;
  sha256: string;
}

/** No upload takes longer than this. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;

/**
 * Writes a stream to a new file in the directory and flushes it to disk. On failure the file is deleted.
 * @throws FileTooLargeError over `maxBytes`; the signal's reason; whatever the stream throws.
 */
export async function spool(
  directory: string,
  content: AsyncIterable<Uint8Array>,
  { maxBytes, signal }: PutOptions,
): Promise<Spooled> {
  const path = join(directory, randomUUID());
  const file = await open(path, "wx", 0o600);
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
    return { path, size, sha256: hash.digest("hex") };
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(path, { force: true });
    throw error;
  }
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
