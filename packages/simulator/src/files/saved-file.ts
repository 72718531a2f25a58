import { closeSync, openSync, readSync } from "node:fs";
import { FileError } from "./file-error.ts";
import type { FileReader } from "./file-reader.ts";

/** Where saved bytes are: a whole layer, or a part of one that holds many small files. */
export interface SavedPlace {
  /** The SHA-256 of the layer. */
  layer: string;
  /** In bytes, from the layer's start; undefined if the file is the whole layer. */
  at?: number;
  size: number;
}

/**
 * A file's bytes in a layer on the host's disk. They never change. Nothing is open between reads, which are synchronous, as those of a
 * `SpilledFile` are.
 */
export class SavedFile implements FileReader {
  readonly place: SavedPlace;
  readonly #path: string;

  /** @param folder holds each layer in a file of its name */
  constructor(place: SavedPlace, folder: string) {
    this.place = place;
    this.#path = `${folder}/${place.layer}`;
  }

  get size(): number {
    return this.place.size;
  }

  /** Whether it shares its layer with others. */
  get isPacked(): boolean {
    return this.place.at !== undefined;
  }

  read(at: number, length: number): Uint8Array {
    const bytes = new Uint8Array(Math.max(0, Math.min(length, this.size - at)));
    if (bytes.length === 0) return bytes;
    try {
      const fd = openSync(this.#path, "r");
      try {
        const count = readSync(fd, bytes, 0, bytes.length, (this.place.at ?? 0) + at);
        if (count < bytes.length) throw new Error(`${this.#path} is too short`);
      } finally {
        closeSync(fd);
      }
    } catch (cause) {
      throw new FileError("EIO", cause);
    }
    return bytes;
  }
}
