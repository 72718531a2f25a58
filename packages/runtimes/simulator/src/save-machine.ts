import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { checkLayer, type Layer, type LayerStore, type MachineRef, type SaveOptions } from "@terrarium/runtime";
import { STACK_FILE } from "@terrarium/simulator";
import { abortable } from "./abortable.ts";
import type { HostConnection } from "./host-link.ts";
import { inTurns } from "./in-turns.ts";
import type { LayerCache } from "./layer-cache.ts";

const CONCURRENT_STORES = 4;

export interface SaveDeps {
  connection: HostConnection;
  store: LayerStore;
  cache: LayerCache;
  /** Where the layers are that the device was started from. */
  pinned: string;
}

/** Asks a host for what has changed on a device, and stores it. The device stands still meanwhile. See `Machine.save`. */
export async function saveMachine(
  { id, boot }: MachineRef,
  { connection, store, cache, pinned }: SaveDeps,
  { onProgress }: SaveOptions,
  signal: AbortSignal,
): Promise<Layer[]> {
  signal.throwIfAborted();
  try {
    const { folder } = await abortable(connection.ask("save", { id, boot }), signal);
    const stack = await readStack(join(folder, STACK_FILE));
    const missing: Layer[] = [];
    for (const layer of stack) if (!(await store.has(layer))) missing.push(layer);
    const total = missing.reduce((sum, { size }) => sum + size, 0);
    let done = 0;
    await inTurns(missing, CONCURRENT_STORES, async (layer) => {
      signal.throwIfAborted();
      const bytes = cache.keeping(layer, checkLayer(layer, bytesOf(layer, [folder, pinned])));
      await store.put(
        counting(bytes, (count) => onProgress((done += count), total)),
        signal,
      );
    });
    if (total === 0) onProgress(0, 0);
    await cache.trim();
    signal.throwIfAborted();
    return stack;
  } finally {
    // If the host is gone, so is the save.
    await connection.ask("endSave", { id, boot }).catch(() => undefined);
  }
}

async function readStack(path: string): Promise<Layer[]> {
  const file = await openWithoutLinks(path);
  return JSON.parse(await text(file.createReadStream())) as Layer[];
}

/** The bytes of a layer, from the first of the folders that has it. */
async function* bytesOf({ sha256 }: Layer, folders: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const folder of folders) {
    const file = await openWithoutLinks(join(folder, sha256)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
      return undefined;
    });
    if (file) return yield* file.createReadStream() as AsyncIterable<Buffer>;
  }
  throw new Error(`layer ${sha256} is not there`);
}

/** A host has fewer rights than we have: what it left must not lead us to other files. */
const openWithoutLinks = (path: string): Promise<FileHandle> => open(path, constants.O_RDONLY | constants.O_NOFOLLOW);

async function* counting(bytes: AsyncIterable<Uint8Array>, count: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    yield chunk;
    count(chunk.byteLength);
  }
}
