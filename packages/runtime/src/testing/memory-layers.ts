import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { checkLayer, type Layer, LayerDamagedError, type LayerStore } from "../layers.ts";

/** Stores layers in memory. */
export class MemoryLayers implements LayerStore {
  /** By SHA-256. */
  readonly stored = new Map<string, Buffer>();

  async put(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Layer> {
    const content = await buffer(untilAborted(bytes, signal));
    const sha256 = createHash("sha256").update(content).digest("hex");
    this.stored.set(sha256, content);
    return { sha256, size: content.length };
  }

  async has({ sha256, size }: Layer): Promise<boolean> {
    return this.stored.get(sha256)?.length === size;
  }

  async *get(layer: Layer, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const content = this.stored.get(layer.sha256);
    if (!content) throw new LayerDamagedError(layer, "is missing");
    yield* checkLayer(layer, untilAborted(chunksOf(content), signal));
  }

  /** Changes a byte of a stored layer. */
  damage({ sha256 }: Pick<Layer, "sha256">): void {
    const content = Buffer.from(this.stored.get(sha256)!);
    content[content.length >> 1]! ^= 1;
    this.stored.set(sha256, content);
  }

  get bytes(): number {
    return [...this.stored.values()].reduce((sum, { length }) => sum + length, 0);
  }
}

const CHUNK_BYTES = 64 * 1024;

async function* chunksOf(content: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += CHUNK_BYTES) yield content.subarray(at, at + CHUNK_BYTES);
}

async function* untilAborted(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  signal.throwIfAborted();
  for await (const chunk of bytes) {
    yield chunk;
    signal.throwIfAborted();
  }
}
