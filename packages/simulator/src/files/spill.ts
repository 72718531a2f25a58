import { closeSync, mkdirSync, mkdtempSync, openSync, readSync, rmSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { FileError } from "./file-error.ts";
import type { SavedFile } from "./saved-file.ts";

/** A directory on the host's disk for files too large for memory. Made on first use, removed with the device. */
export class SpillFolder {
  #parent: string;
  #folder: string | undefined;
  #count = 0;

  constructor(parent: string) {
    this.#parent = parent;
  }

  /** @param head what the file begins with */
  create(head?: SavedFile): SpilledFile {
    return new SpilledFile(this.path(), head);
  }

  /** A path on the host's disk that nothing else uses. */
  path(): string {
    if (!this.#folder) {
      mkdirSync(this.#parent, { recursive: true, mode: 0o700 });
      this.#folder = mkdtempSync(join(this.#parent, "d"));
    }
    return join(this.#folder, String(this.#count++));
  }

  remove(): void {
    if (this.#folder) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  }
}

/**
 * A file of a device on the host's disk. Reads and writes are synchronous: pieces of at most 64 KiB through the page
 * cache cost less than a turn through the thread pool.
 */
export class SpilledFile {
  readonly path: string;
  /** Its first bytes are elsewhere; those that were appended follow. */
  readonly #head: SavedFile | undefined;
  readonly #headSize: number;
  #fd: number | undefined;
  size: number;

  constructor(path: string, head?: SavedFile) {
    this.path = path;
    this.#head = head;
    this.size = this.#headSize = head?.size ?? 0;
    this.#fd = openSync(path, "w+", 0o600);
  }

  /** Whether the file at `path` has all of its bytes. */
  get isWhole(): boolean {
    return this.#head === undefined;
  }

  append(chunk: Uint8Array): void {
    const fd = (this.#fd ??= openSync(this.path, "r+"));
    const end = this.size - this.#headSize;
    for (let done = 0; done < chunk.length;) done += writeSync(fd, chunk, done, chunk.length - done, end + done);
    this.size += chunk.length;
  }

  /** Up to `length` bytes from `at`; fewer at the end. */
  read(at: number, length: number): Uint8Array {
    if (!this.#head || at >= this.#headSize) return this.#read(at - this.#headSize, length);
    const first = this.#head.read(at, length);
    const rest = length - first.length;
    return rest > 0 ? Buffer.concat([first, this.#read(0, rest)]) : first;
  }

  #read(at: number, length: number): Uint8Array {
    const bytes = new Uint8Array(Math.max(0, Math.min(length, this.size - this.#headSize - at)));
    if (bytes.length === 0) return bytes;
    const fd = this.#open();
    try {
      return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, at));
    } finally {
      if (fd !== this.#fd) closeSync(fd);
    }
  }

  /** Closes the descriptor after writing: thousands of files must not hold thousands of them. */
  settle(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  remove(): void {
    this.settle();
    try {
      unlinkSync(this.path);
    } catch {
      // The whole folder may have been removed with the device.
    }
  }

  #open(): number {
    try {
      return this.#fd ?? openSync(this.path, "r");
    } catch (cause) {
      throw new FileError("EIO", cause);
    }
  }
}
