import { checkLayer, type Layer, type LayerStore, type SaveOptions, SaveTooLargeError } from "@terrarium/runtime";
import { createHash } from "node:crypto";
import { json } from "node:stream/consumers";
import { z } from "zod";

const BLOCK = 512;
/** A file of so many bytes is a layer of its own, so that equal ones are stored once. */
const LARGE_FILE = 128 * 1024;
/** The others share layers, of so many bytes at most and of so many files on average. */
const MAX_SHARED = 4 * 1024 * 1024;
const SHARED_FILES = 64;
const MAX_LAYERS = 65_536;
const MAX_INDEX_BYTES = 1024 * 1024;
/** Names and times of files, and what a file system uses itself. */
const MARGIN_MB = 64;
const MB = 1024 * 1024;

/** The layers whose bytes are a tar of the user data when they follow each other so, by their place in the stack. It is the last layer. */
const Index = z.array(z.int().min(0)).max(MAX_LAYERS);

/** Of a tar. Together the parts are the tar, whatever is in it. The bytes of one are read before the next is asked for. */
interface Part {
  bytes: AsyncIterable<Uint8Array>;
}

/**
 * Saves user data as a stack of layers. It is read twice: what is stored already is not stored again.
 * @param read a tar of it, the same each time
 * @throws SaveTooLargeError; the signal's reason; Error if the tar is not complete
 */
export async function saveData(
  read: () => Promise<AsyncIterable<Uint8Array>>,
  store: LayerStore,
  { maxMb, onProgress, signal }: { maxMb: number; signal: AbortSignal } & SaveOptions,
): Promise<Layer[]> {
  const layers = new Map<string, Layer & { at: number }>();
  const order: number[] = [];
  let bytes = 0;
  for await (const part of cutTar(await read())) {
    signal.throwIfAborted();
    const { sha256, size } = await layerOf(part);
    bytes += size;
    if (bytes > (maxMb + MARGIN_MB) * MB) throw new SaveTooLargeError(`its data is more than ${maxMb} MiB`);
    const at = layers.get(sha256)?.at ?? layers.size;
    layers.set(sha256, { sha256, size, at });
    if (order.push(at) >= MAX_LAYERS) throw new SaveTooLargeError(`it has too many files`);
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
    for await (const part of cutTar(await read())) {
      signal.throwIfAborted();
      const at = order[place++] ?? 0;
      if (missing.delete(at)) await put(checkLayer(all[at]!, part.bytes));
      else for await (const _ of part.bytes);
    }
  const last = await put(once(index));
  signal.throwIfAborted();
  return [...all, last];
}

/** The tar that was saved. @throws LayerDamagedError; the signal's reason; Error if these are not layers of user data */
export async function* savedData(
  layers: readonly Layer[],
  store: LayerStore,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const index = layers.at(-1);
  if (!index || index.size > MAX_INDEX_BYTES) throw new Error("this is not saved by the runtime docker");
  const order = Index.parse(await json(store.get(index, signal)));
  for (const at of order) {
    const layer = layers[at];
    if (!layer) throw new Error(`the saved state has no layer ${at}`);
    yield* store.get(layer, signal);
  }
}

/**
 * Cuts a tar where its content says so, so that what has not changed is the same part again: a large file is one, and others share some.
 * @throws Error if the tar does not end as one does
 */
export async function* cutTar(tar: AsyncIterable<Uint8Array>): AsyncGenerator<Part> {
  const reader = new Reader(tar);
  let shared: Buffer[] = [];
  let sharedBytes = 0;
  let isComplete = false;
  const keep = (bytes: Buffer) => {
    shared.push(bytes);
    sharedBytes += bytes.length;
  };
  const flush = function* (): Generator<Part> {
    if (sharedBytes > 0) yield { bytes: once(Buffer.concat(shared)) };
    shared = [];
    sharedBytes = 0;
  };
  try {
    for (let header = await reader.take(BLOCK); header.length > 0; header = await reader.take(BLOCK)) {
      keep(header);
      isComplete ||= header.every((byte) => byte === 0);
      const size = numberIn(header, 124, 12);
      const padding = -size & (BLOCK - 1);
      if (size >= LARGE_FILE) {
        yield* flush();
        yield { bytes: reader.stream(size) };
        keep(await reader.take(padding));
      } else keep(await reader.take(size + padding));
      // The sum over the header of a file stays as long as the file is as it was.
      if (sharedBytes > MAX_SHARED || numberIn(header, 148, 6) % SHARED_FILES === 1) yield* flush();
    }
    yield* flush();
  } finally {
    // Docker would wait for whoever reads.
    await reader.close();
  }
  if (!isComplete) throw new Error("Docker did not send all of the user data");
}

/** Octal; 0 if it is no number, which only cuts elsewhere. */
const numberIn = (header: Buffer, at: number, length: number): number =>
  Number.parseInt(header.toString("latin1", at, at + length), 8) || 0;

async function layerOf({ bytes }: Part): Promise<Layer> {
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

/** Reads by byte counts; less only at the end. */
class Reader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.#chunks = bytes[Symbol.asyncIterator]();
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  async take(count: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of this.stream(count)) parts.push(part);
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  }

  async *stream(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0;) {
      if (this.#rest.length === 0) {
        const { done, value } = await this.#chunks.next();
        if (done) return;
        this.#rest = Buffer.from(value.buffer, value.byteOffset, value.length);
      }
      const part = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }
}
