import { type Clock, every } from "@terrarium/clock";
import { copyFile, readdir, rename, rm, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "./log.ts";

const CHECK_EVERY_MS = 10_000;
const MAX_BYTES = 10_000_000;
/** How many older parts of a log are retained, as `NAME.log.1` and so on. */
const RETAINED = 3;

/**
 * Rotates the logs (`*.log`) of a folder that other processes write, until the signal aborts: one that exceeds 10 MB becomes `.1`, and
 * three older parts are retained. The processes hold their file open for appending, so its content is moved and not the file; lines that
 * are written at that very moment may be lost.
 */
export function rotateLogs(
  folder: string,
  { clock, log, signal }: { clock: Clock; log: Logger; signal: AbortSignal },
): Promise<void> {
  const check = () =>
    rotateLarge(folder).catch((error: unknown) => log.warn({ err: error }, "the logs could not be rotated"));
  return every(clock, CHECK_EVERY_MS, check, signal);
}

async function rotateLarge(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const file = join(folder, name);
    if (name.endsWith(".log") && (await stat(file)).size > MAX_BYTES) await rotate(file);
  }
}

async function rotate(file: string): Promise<void> {
  // First, as the disk may be full.
  await rm(`${file}.${RETAINED}`, { force: true });
  for (let part = RETAINED - 1; part > 0; part--)
    await rename(`${file}.${part}`, `${file}.${part + 1}`).catch(() => undefined);
  try {
    await copyFile(file, `${file}.1`);
  } catch (error) {
    await rm(`${file}.1`, { force: true });
    throw error;
  } finally {
    // Even without a copy: better to lose a log than to fill the disk.
    await truncate(file, 0);
  }
}
