import { randomUUID } from "node:crypto";
import type { Dirent } from "node:fs";
import { open, readdir, rm, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import {
  type ByteRange,
  checkKey,
  checkRange,
  FileNotFoundError,
  type FileKey,
  type FileStore,
  type PutOptions,
  type StoredFile,
} from "./file-store.ts";
import { discard, openSpool, spool } from "./spool.ts";
import { moveInto } from "./write-whole.ts";

/**
 * Where uploads are written before they are renamed; no key begins with a dot. It is inside the store's own directory, because a
 * rename is atomic only within one file system.
 */
const INCOMING = ".incoming";

/** A file store in a local directory, or in one on a file system that several machines share. */
export async function openDirectoryStore(root: string): Promise<FileStore> {
  const incoming = join(root, INCOMING);
  await openSpool(incoming);
  return new DirectoryStore(root, incoming);
}

class DirectoryStore implements FileStore {
  readonly #root: string;
  readonly #incoming: string;

  constructor(root: string, incoming: string) {
    this.#root = root;
    this.#incoming = incoming;
  }

  async put(
    key: FileKey,
    content: AsyncIterable<Uint8Array>,
    options: PutOptions,
  ): Promise<StoredFile & { sha256: string }> {
    if (typeof key === "string") checkKey(key);
    const spooled = await spool(join(this.#incoming, randomUUID()), content, options);
    const { size, sha256 } = spooled;
    try {
      const name = checkKey(typeof key === "string" ? key : await key(sha256, size));
      const isKnown = typeof key === "function" && (await this.head(name))?.size === size;
      if (!isKnown) await moveInto(this.#path(name), spooled);
      return { key: name, size, sha256 };
    } finally {
      await discard(spooled);
    }
  }

  async get(key: string, { range, signal }: { range?: ByteRange; signal?: AbortSignal } = {}) {
    if (range) checkRange(range);
    const file = await open(this.#path(key)).catch((error: unknown) => {
      throw isMissing(error) ? new FileNotFoundError(key) : error;
    });
    try {
      const stats = await file.stat();
      if (!stats.isFile()) throw new FileNotFoundError(key);
      const { size } = stats;
      if (range && range.start >= size) throw new RangeError("The range begins after the end of the file");
      return file.createReadStream({ ...range, ...(signal && { signal }) });
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async head(key: string): Promise<StoredFile | undefined> {
    try {
      const stats = await stat(this.#path(key));
      return stats.isFile() ? { key, size: stats.size } : undefined;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async delete(key: string): Promise<void> {
    if (await this.head(key)) await rm(this.#path(key), { force: true });
  }

  async *list(folder?: string): AsyncIterable<StoredFile> {
    const from = folder === undefined ? this.#root : this.#path(folder);
    for (const entry of await entriesOf(from)) {
      if (entry.name === INCOMING) continue;
      const key = relative(this.#root, join(from, entry.name));
      if (entry.isDirectory()) yield* this.list(key);
      else {
        // It may have been deleted since readdir.
        const found = await this.head(key);
        if (found) yield found;
      }
    }
  }

  #path(key: string): string {
    return join(this.#root, checkKey(key));
  }
}

async function entriesOf(directory: string): Promise<Dirent[]> {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** ENOTDIR: what would have to be its folder is a file. */
const isMissing = (error: unknown): boolean => ["ENOENT", "ENOTDIR"].includes((error as { code?: string }).code ?? "");
