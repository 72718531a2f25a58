import { createHash } from "node:crypto";
import { closeSync, linkSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { Layer } from "@terrarium/runtime";
import type { FileReader } from "../files/file-reader.ts";

/** Hashed and written in one turn of the event loop. */
const PIECE_BYTES = 256 * 1024;

/** One layer that is being written to a folder. Call `finish` and `close`, or `close` alone to discard it. */
export class LayerWriter {
  readonly #folder: string;
  readonly #path: string;
  readonly #hash = createHash("sha256");
  #fd: number | undefined;
  size = 0;

  constructor(folder: string, name: string) {
    this.#folder = folder;
    this.#path = `${folder}/${name}`;
    this.#fd = openSync(this.#path, "wx", 0o600);
  }

  write(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length;) done += writeSync(this.#fd!, bytes, done);
    this.#hash.update(bytes);
    this.size += bytes.length;
  }

  /** Writes a whole file, and lets the event loop turn meanwhile. @throws the signal's reason */
  async copy(reader: FileReader, signal: AbortSignal): Promise<void> {
    for await (const piece of piecesOf(reader, signal)) this.write(piece);
  }

  /** Gives the layer its name. */
  finish(): Layer {
    closeSync(this.#fd!);
    this.#fd = undefined;
    const sha256 = this.#hash.digest("hex");
    renameSync(this.#path, `${this.#folder}/${sha256}`);
    return { sha256, size: this.size };
  }

  /** Discards it unless it is finished. */
  close(): void {
    if (this.#fd === undefined) return;
    closeSync(this.#fd);
    this.#fd = undefined;
    rmSync(this.#path, { force: true });
  }
}

/** Makes a layer of a file on the host's disk without copying it. The file must not change until the folder is removed. */
export async function linkLayer(
  folder: string,
  reader: FileReader & { path: string },
  signal: AbortSignal,
): Promise<Layer> {
  const hash = createHash("sha256");
  for await (const piece of piecesOf(reader, signal)) hash.update(piece);
  const layer = { sha256: hash.digest("hex"), size: reader.size };
  try {
    linkSync(reader.path, `${folder}/${layer.sha256}`);
  } catch (error) {
    // Two files with equal content.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return layer;
}

async function* piecesOf(reader: FileReader, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < reader.size; at += PIECE_BYTES) {
    yield reader.read(at, PIECE_BYTES);
    await setImmediate();
    signal.throwIfAborted();
  }
}
