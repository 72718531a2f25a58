import { createHash } from "node:crypto";
import {
  type ByteRange,
  checkKey,
  checkRange,
  type FileKey,
  FileNotFoundError,
  type FileStore,
  FileTooLargeError,
  type PutOptions,
  type StoredFile,
} from "../file-store.ts";

/** A file store in memory. */
export class MemoryFiles implements FileStore {
  readonly stored = new Map<string, Buffer>();

  async put(key: FileKey, content: AsyncIterable<Uint8Array>, { maxBytes, signal }: PutOptions) {
    if (typeof key === "string") checkKey(key);
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of content) {
      signal?.throwIfAborted();
      size += chunk.byteLength;
      if (size > maxBytes) throw new FileTooLargeError(maxBytes);
      // The sender may use its buffer again.
      chunks.push(Uint8Array.from(chunk));
    }
    signal?.throwIfAborted();
    const bytes = Buffer.concat(chunks);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const name = checkKey(typeof key === "string" ? key : await key(sha256, size));
    this.stored.set(name, bytes);
    return { key: name, size, sha256 };
  }

  async get(key: string, { range }: { range?: ByteRange } = {}): Promise<AsyncIterable<Uint8Array>> {
    if (range) checkRange(range);
    const bytes = this.stored.get(checkKey(key));
    if (!bytes) throw new FileNotFoundError(key);
    if (range && range.start >= bytes.length) throw new RangeError("The range begins after the end of the file");
    return once(range ? bytes.subarray(range.start, range.end === undefined ? undefined : range.end + 1) : bytes);
  }

  async head(key: string): Promise<StoredFile | undefined> {
    const bytes = this.stored.get(checkKey(key));
    return bytes && { key, size: bytes.length };
  }

  async delete(key: string): Promise<void> {
    this.stored.delete(checkKey(key));
  }

  async *list(folder?: string): AsyncIterable<StoredFile> {
    if (folder !== undefined) checkKey(folder);
    for (const [key, { length }] of this.stored)
      if (folder === undefined || key.startsWith(`${folder}/`)) yield { key, size: length };
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
