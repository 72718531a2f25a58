import { readdir } from "node:fs/promises";
import { abortable, type Clock } from "@terrarium/clock";
import {
  checkLayer,
  type Layer,
  type LayerStore,
  type MachineRef,
  type SaveOptions,
  SaveTooLargeError,
} from "@terrarium/runtime";
import type { HostConnection } from "./host-link.ts";
import { inTurns } from "./in-turns.ts";
import type { LayerCache } from "./layer-cache.ts";
import { bytesOf, readStack } from "./save-folder.ts";

const CONCURRENT_STORES = 4;
/** A host removes what it has written for the save, which takes no longer. */
const END_SAVE_MS = 10_000;

export interface SaveDeps {
  connection: HostConnection;
  store: LayerStore;
  cache: LayerCache;
  /** Where the layers are that the device was started from. */
  pinned: string;
  /** The most that the layers may have together which the device was not started from. */
  maxNewBytes: number;
  clock: Clock;
}

/**
 * Asks a host for what has changed on a device, and stores it. The device stands still meanwhile. See `Machine.save`.
 * @throws SaveTooLargeError; Error if what the host has left is not what it says
 */
export async function saveMachine(
  { id, boot }: MachineRef,
  { connection, store, cache, pinned, maxNewBytes, clock }: SaveDeps,
  { onProgress }: SaveOptions,
  signal: AbortSignal,
): Promise<Layer[]> {
  signal.throwIfAborted();
  try {
    const { folder } = await abortable(connection.ask("save", { id, boot }), signal);
    const stack = await readStack(folder);
    const known = new Set(await namesIn(pinned));
    const newBytes = bytesIn(stack.filter(({ sha256 }) => !known.has(sha256)));
    if (newBytes > maxNewBytes)
      throw new SaveTooLargeError(`the save's ${newBytes} new bytes are more than the ${maxNewBytes} that are allowed`);
    const missing: Layer[] = [];
    for (const layer of stack) {
      signal.throwIfAborted();
      if (!(await store.has(layer))) missing.push(layer);
    }
    const total = bytesIn(missing);
    let done = 0;
    await inTurns(missing, CONCURRENT_STORES, async (layer) => {
      signal.throwIfAborted();
      const bytes = cache.caching(layer, checkLayer(layer, bytesOf(layer, [folder, pinned])));
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
    // If the host is gone, so is the save. One that only fails to answer must not hold up what waits for the save.
    const answered = new AbortController();
    const asked = connection.ask("endSave", { id, boot });
    await Promise.race([asked, clock.sleep(END_SAVE_MS, answered.signal)]).catch(() => undefined);
    answered.abort();
  }
}

const bytesIn = (layers: readonly Layer[]): number => layers.reduce((sum, { size }) => sum + size, 0);

/** A device that was started from nothing has no folder. */
const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return [];
  });

async function* counting(bytes: AsyncIterable<Uint8Array>, count: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    yield chunk;
    count(chunk.byteLength);
  }
}
