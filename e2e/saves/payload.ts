import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Large enough to be layers of their own, so that their names are known before they are saved. */
const FILES = 4;
const FILE_BYTES = 3 * 1024 * 1024;
const common = randomBytes(FILE_BYTES);

/** What is pushed to a device before it is saved. */
export interface Payload {
  folder: string;
  /** Tells this state of the device from others. */
  mark: string;
  /** The SHA-256 of each file, `0` to `3`. */
  files: string[];
}

/** Writes files that no other device has, and one with a mark. */
export async function writePayload(folder: string): Promise<Payload> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const mark = randomUUID();
  const files: string[] = [];
  // A copy, since others write theirs at the same time.
  const bytes = Buffer.from(common);
  for (let index = 0; index < FILES; index++) {
    bytes.write(`${mark} ${index}`);
    files.push(createHash("sha256").update(bytes).digest("hex"));
    await writeFile(join(folder, String(index)), bytes);
  }
  await writeFile(join(folder, "mark"), mark);
  return { folder, mark, files };
}
