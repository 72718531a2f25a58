import { open } from "node:fs/promises";

/** Flushes the entries of a directory to disk, so that a file that was renamed there outlives a power cut. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
