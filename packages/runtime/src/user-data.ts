import { createHash } from "node:crypto";
import { json } from "node:stream/consumers";
import { z } from "zod";
import { checkLayer, type Layer, type LayerStore, SaveTooLargeError } from "./layers.ts";
import type { SaveOptions } from "./machine.ts";

const MAX_LAYERS = 65_536;
const MAX_INDEX_BYTES = 1024 * 1024;
/** Names and times of files, and what a file system uses itself. */
const MARGIN_MB = 64;
const MB = 1024 * 1024;

/** The layers whose bytes are the user data when they follow each other so, by their place in the stack. It is the last layer. */
const Index = z.array(z.int().min(0)).max(MAX_LAYERS);

/** Of user data: all parts together are the whole. The bytes of one are read before the next is asked for. */
export interface UserDataPart {
  bytes: AsyncIterable<Uint8Array>;
}

/**
 * Saves user data as a stack of layers. It is read twice: what is stored already is not stored again.
 * @param read its parts, the same each time
 * @throws SaveTooLargeError; the signal's reason; whatever reading throws
 */
export async function saveUserData(
  read: () => AsyncIterable<UserDataPart>,
  store: LayerStore,
  { maxMb, onProgress, signal }: { maxMb: number; signal: AbortSignal } & SaveOptions,
): Promise<Layer[]> {
  const layers = new Map<string, Layer & { at: number }>();
  const order: number[] = [];
  let bytes = 0;
  for await (const part of read()) {
    signal.throwIfAborted();
    const { sha256, size } = await layerOf(part);
    bytes += size;
    if (bytes > (maxMb + MARGIN_MB) * MB) throw new SaveTooLargeError(`its data is more than ${maxMb} MiB`);
    const at = layers.get(sha256)?.at ?? layers.size;
    layers.set(sha256, { sha256, size, at });
    if (order.push(at) >= MAX_LAYERS) throw new SaveTooLargeError("it is in too many parts");
  }
  const all = [...layers.values()].map(({ sha256, size }) => ({ sha256, size }));
  const missing = new Set<number>();
  for (const [at, layer] of all.entries()) if (!(await store.has(layer))) missing.add(at);
  const index = Buffer.from(JSON.stringify(order));
  const total = [...missing].reduce((sum, at) => sum + all[at]!.size, index.length);
  let done = 0;
  const put = (part: AsyncIterable<Uint8Array>) =>
    store.put(
      counting(part, (count) => onProgress((done += count), total)),
      signal,
    );
  let place = 0;
  if (missing.size > 0)
    for await (const part of read()) {
      signal.throwIfAborted();
      const at = order[place++] ?? 0;
      if (missing.delete(at)) await put(checkLayer(all[at]!, part.bytes));
      else for await (const _ of part.bytes);
    }
  const last = await put(once(index));
  signal.throwIfAborted();
  return [...all, last];
}

/** The user data that was saved. @throws LayerDamagedError; the signal's reason; Error if these are not layers of user data */
export async function* savedUserData(
  layers: readonly Layer[],
  store: LayerStore,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for (const layer of await partsOf(layers, store, signal)) yield* store.get(layer, signal);
}

/** Of the user data that was saved, in bytes. @throws as `savedUserData` */
export async function savedUserDataSize(layers: readonly Layer[], store: LayerStore, signal: AbortSignal) {
  return (await partsOf(layers, store, signal)).reduce((sum, { size }) => sum + size, 0);
}

async function partsOf(layers: readonly Layer[], store: LayerStore, signal: AbortSignal): Promise<Layer[]> {
  const index = layers.at(-1);
  if (!index || index.size > MAX_INDEX_BYTES) throw new Error("this is no saved user data");
  const order = Index.parse(await json(store.get(index, signal)));
  return order.map((at) => {
    const layer = layers[at];
    if (!layer) throw new Error(`the saved state has no layer ${at}`);
    return layer;
  });
}

async function layerOf({ bytes }: UserDataPart): Promise<Layer> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of bytes) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { sha256: hash.digest("hex"), size };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function* counting(bytes: AsyncIterable<Uint8Array>, count: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    yield chunk;
    count(chunk.length);
  }
}
