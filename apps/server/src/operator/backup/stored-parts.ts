import { ArchiveError } from "../../platform/archive/read-archive.ts";
import type { TarEntry } from "../../platform/archive/tar.ts";

/** The parts of an archive, taken in order: what was cut into several is one stream again. */
export class StoredParts {
  readonly #source: AsyncGenerator<TarEntry>;
  #next: TarEntry | undefined;

  constructor(source: AsyncGenerator<TarEntry>) {
    this.#source = source;
  }

  /** The bytes of `NAME.000001` and those that follow. */
  async *of(name: string): AsyncGenerator<Uint8Array> {
    for (let number = 1; ; number++) {
      const part = await this.#peek();
      if (part?.name !== `${name}.${String(number).padStart(6, "0")}`) {
        if (number === 1) throw new ArchiveError(`The backup has no ${name}.`);
        return;
      }
      this.#next = undefined;
      yield part.content;
    }
  }

  /** A part that was not cut. */
  async one(name: string): Promise<Uint8Array> {
    const part = await this.#peek();
    if (part?.name !== name) throw new ArchiveError(`The backup has no ${name}.`);
    this.#next = undefined;
    return part.content;
  }

  async #peek(): Promise<TarEntry | undefined> {
    this.#next ??= ((await this.#source.next()) as { value?: TarEntry }).value;
    return this.#next;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#source.return(undefined);
  }
}
