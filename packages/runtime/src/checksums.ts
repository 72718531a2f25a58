import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";

/** Knows the SHA-256 of files, until they change. Large ones take seconds. */
export class Checksums {
  readonly #known = new Map<string, { stamp: string; sum: Promise<string> }>();

  async of(path: string): Promise<string> {
    const { size, mtimeMs } = await stat(path);
    const stamp = `${size} ${mtimeMs}`;
    const known = this.#known.get(path);
    if (known?.stamp === stamp) return known.sum;
    const sum = checksumOf(path);
    this.#known.set(path, { stamp, sum });
    // One that failed is tried again.
    sum.catch(() => this.#known.delete(path));
    return sum;
  }

  /** Of an image that is made of these files, some of which it may not have, and a text. */
  async ofAll(paths: readonly (string | undefined)[], text: string): Promise<string> {
    const hash = createHash("sha256").update(text);
    for (const path of paths) hash.update(`\n${path === undefined ? "" : await this.of(path)}`);
    return `sha256:${hash.digest("hex")}`;
  }
}

async function checksumOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest("hex");
}
