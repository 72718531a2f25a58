import { checkLayer, type Layer, LayerDamagedError, type LayerStore } from "@terrarium/runtime";
import { FileNotFoundError, type FileStore } from "../../platform/files/file-store.ts";

/** The largest file that every kind of file store accepts. */
const MAX_LAYER_BYTES = 5 * 1024 ** 3;

const keyOf = (sha256: string): string => `layers/${sha256}`;

/** Keeps the layers of saved states in the file store, each under its SHA-256. */
export class FileLayers implements LayerStore {
  readonly #files: FileStore;

  constructor(files: FileStore) {
    this.#files = files;
  }

  /** @throws FileTooLargeError over 5 GiB; the signal's reason; whatever the stream throws. */
  async put(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Layer> {
    const { sha256, size } = await this.#files.put(keyOf, bytes, { maxBytes: MAX_LAYER_BYTES, signal });
    return { sha256, size };
  }

  async has({ sha256, size }: Layer): Promise<boolean> {
    return (await this.#files.head(keyOf(sha256)))?.size === size;
  }

  async *get(layer: Layer, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const bytes = await this.#files.get(keyOf(layer.sha256), { signal }).catch((error: unknown) => {
      throw error instanceof FileNotFoundError ? new LayerDamagedError(layer, "is missing", { cause: error }) : error;
    });
    yield* checkLayer(layer, bytes);
  }
}
