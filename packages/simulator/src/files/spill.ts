import { closeSync, mkdirSync, mkdtempSync, openSync, readSync, rmSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { FileError } from "./file-error.ts";

/** A directory on the host's disk for files too large for memory. Made on first use, removed with the device. */
export class SpillFolder {
  #parent: string;
  #folder: string | undefined;
  #count = 0;

  constructor(parent: string) {
    this.#parent = parent;
  }

  create(): SpilledFile {
    return new SpilledFile(this.path());
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
  readonly #path: string;
  #fd: number | undefined;
  size = 0;

  constructor(path: string) {
    this.#path = path;
    this.#fd = openSync(path, "w+", 0o600);
  }

  append(chunk: Uint8Array): void {
    const fd = (this.#fd ??= openSync(this.#path, "r+"));
    for (let done = 0; done < chunk.length;) done += writeSync(fd, chunk, done, chunk.length - done, this.size + done);
    this.size += chunk.length;
  }

  /** Up to `length` bytes from `at`; fewer at the end. */
  read(at: number, length: number): Uint8Array {
    const bytes = new Uint8Array(Math.max(0, Math.min(length, this.size - at)));
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
      unlinkSync(this.#path);
    } catch {
      // The whole folder may have been removed with the device.
    }
  }

  #open(): number {
    try {
      return this.#fd ?? openSync(this.#path, "r");
    } catch (cause) {
      throw new FileError("EIO", cause);
    }
  }
}
