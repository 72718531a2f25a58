import { checkLayer, type Layer, LayerDamagedError, type LayerStore } from "@terrarium/runtime";
import type { Database } from "../../database/schema.ts";
import { FileNotFoundError, type FileStore } from "../../platform/files/file-store.ts";
import { upsertLayers } from "./layers.store.ts";

/** The largest file that every kind of file store accepts. */
const MAX_LAYER_BYTES = 5 * 1024 ** 3;

export const layerFolder = "layers";
export const layerKey = (sha256: string): string => `${layerFolder}/${sha256}`;

/** Stores the layers of saved states in the file store, each under its SHA-256. */
export class FileLayers implements LayerStore {
  readonly #files: FileStore;
  readonly #db: Database;

  constructor(files: FileStore, db: Database) {
    this.#files = files;
    this.#db = db;
  }

  /** @throws FileTooLargeError over 5 GiB; the signal's reason; whatever the stream throws. */
  async put(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Layer> {
    // Its row is written before the store is asked whether the layer is there, as a collection may be deleting it.
    const keyOf = async (sha256: string, size: number) => {
      await upsertLayers(this.#db, [{ sha256, size }]);
      return layerKey(sha256);
    };
    const { sha256, size } = await this.#files.put(keyOf, bytes, { maxBytes: MAX_LAYER_BYTES, signal });
    return { sha256, size };
  }

  async has({ sha256, size }: Layer): Promise<boolean> {
    // As in `put`: a layer that is found here is not collected before it is used.
    await upsertLayers(this.#db, [{ sha256, size }]);
    return (await this.#files.head(layerKey(sha256)))?.size === size;
  }

  async *get(layer: Layer, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const bytes = await this.#files.get(layerKey(layer.sha256), { signal }).catch((error: unknown) => {
      throw error instanceof FileNotFoundError ? new LayerDamagedError(layer, "is missing", { cause: error }) : error;
    });
    yield* checkLayer(layer, bytes);
  }
}
