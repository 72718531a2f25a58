import { createHash } from "node:crypto";

/** A piece of a saved state. */
export interface Layer {
  /** The SHA-256 of its bytes in hex, which is its name. */
  sha256: string;
  /** In bytes. */
  size: number;
}

/** Stores layers; all gateways of an installation share one store. */
export interface LayerStore {
  /**
   * Stores the bytes, unless they are stored already. Resolves when they would survive a power cut.
   * @throws the signal's reason; whatever the stream throws. Nothing is stored then.
   */
  put(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Layer>;
  /** Whether the layer is stored, in its full size. */
  has(layer: Layer): Promise<boolean>;
  /**
   * The bytes of a layer, checked while they are read.
   * @throws LayerDamagedError, at the end if the bytes do not match the name; at once if the layer is missing.
   */
  get(layer: Layer, signal: AbortSignal): AsyncIterable<Uint8Array>;
}

/** A stored layer is missing, or its bytes are not those that were saved. */
export class LayerDamagedError extends Error {
  override readonly name = "LayerDamagedError";
  readonly sha256: string;

  /** @param how what is wrong with it: "is missing" */
  constructor({ sha256 }: Pick<Layer, "sha256">, how: string, options?: ErrorOptions) {
    super(`the saved state is damaged: its layer ${sha256} ${how}`, options);
    this.sha256 = sha256;
  }
}

/** A machine cannot be saved because too much on it has changed. */
export class SaveTooLargeError extends Error {
  override readonly name = "SaveTooLargeError";
}

/** Passes on the bytes of a layer. @throws LayerDamagedError at the end if they do not match its name, sooner if there are too many */
export async function* checkLayer(layer: Layer, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.byteLength;
    if (size > layer.size) throw new LayerDamagedError(layer, `is larger than ${layer.size} bytes`);
    hash.update(chunk);
    yield chunk;
  }
  if (size < layer.size) throw new LayerDamagedError(layer, `has ${size} of ${layer.size} bytes`);
  if (hash.digest("hex") !== layer.sha256) throw new LayerDamagedError(layer, "has other content");
}
