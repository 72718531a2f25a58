import type { FileReader } from "../files/file-reader.ts";
import type { Content } from "../files/node.ts";
import type { SavedPlace } from "../files/saved-file.ts";
import { LayerWriter, linkLayer } from "./layer-writer.ts";

/** A file from this size on can be a layer of its own. */
const LARGE_BYTES = 64 * 1024;
/** At most this many are, the largest: each layer costs a request when it is stored or fetched. */
const MAX_LARGE = 256;

/** Where the bytes of files are saved, while they are. */
export class SavedPlaces {
  readonly #folder: string;
  readonly #signal: AbortSignal;
  readonly #repacks: boolean;
  readonly #large: ReadonlySet<Content>;
  readonly #places = new Map<Content, SavedPlace>();
  /** Those in the pack, whose name is known when it is finished. */
  readonly #packed: SavedPlace[] = [];
  readonly #pack: LayerWriter;

  /**
   * @param folder where new layers go
   * @param contents all that will be added
   * @param repacks whether files in a pack that was saved before go into the new one, so that nothing needs the old one
   */
  constructor(
    folder: string,
    contents: readonly Content[],
    { signal, repacks }: { signal: AbortSignal; repacks: boolean },
  ) {
    this.#folder = folder;
    this.#signal = signal;
    this.#repacks = repacks;
    this.#large = largestOf(contents);
    this.#pack = new LayerWriter(folder, "pack");
  }

  /** Writes the bytes to a layer, unless they are in one. @throws the signal's reason; FileError EIO */
  async add(content: Content): Promise<void> {
    if (content.kind === "bytes") {
      const { bytes } = content;
      await this.#write(content, { size: bytes.length, read: (at, length) => bytes.subarray(at, at + length) });
    } else if (content.kind === "spilled") {
      const { file } = content;
      if (!this.#large.has(content) || !file.isWhole) return this.#write(content, file);
      const { sha256, size } = await linkLayer(this.#folder, file, this.#signal);
      this.#places.set(content, { layer: sha256, size });
    } else if (content.kind === "saved") {
      if (this.#repacks && (content.file.isPacked || !this.#large.has(content)))
        await this.#write(content, content.file);
      else this.#places.set(content, content.file.place);
    }
  }

  /** Undefined if it is not saved. In a pack it is not complete before `finish`. */
  of(content: Content): SavedPlace | undefined {
    return this.#places.get(content);
  }

  /** Completes the pack. */
  finish(): void {
    if (this.#packed.length === 0) return;
    const { sha256 } = this.#pack.finish();
    for (const place of this.#packed) place.layer = sha256;
  }

  close(): void {
    this.#pack.close();
  }

  async #write(content: Content, reader: FileReader): Promise<void> {
    if (!this.#large.has(content)) {
      const place = { layer: "", at: this.#pack.size, size: reader.size };
      await this.#pack.copy(reader, this.#signal);
      this.#packed.push(place);
      this.#places.set(content, place);
      return;
    }
    const writer = new LayerWriter(this.#folder, "large");
    try {
      await writer.copy(reader, this.#signal);
      const { sha256, size } = writer.finish();
      this.#places.set(content, { layer: sha256, size });
    } finally {
      writer.close();
    }
  }
}

function largestOf(contents: readonly Content[]): Set<Content> {
  const large = [...new Set(contents)].filter((content) => sizeOf(content) >= LARGE_BYTES);
  return new Set(large.toSorted((a, b) => sizeOf(b) - sizeOf(a)).slice(0, MAX_LARGE));
}

function sizeOf(content: Content): number {
  if (content.kind === "made") return 0;
  return content.kind === "bytes" ? content.bytes.length : content.file.size;
}
