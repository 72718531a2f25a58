import { randomUUID } from "node:crypto";
import { chmod, chown, link, mkdir, open, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { abortable, type Clock } from "@terrarium/clock";
import type { Layer, LayerStore } from "@terrarium/runtime";
import type { HostAccount } from "./host-account.ts";
import { inTurns } from "./in-turns.ts";

export interface LayerCacheOptions {
  /** Absolute. Only we write in it; the hosts' account can read. */
  folder: string;
  account: () => HostAccount | undefined;
  /** How much is cached besides what devices use; the layers that were used last stay. */
  maxBytes: number;
  store: LayerStore;
  clock: Clock;
}

const CONCURRENT_FETCHES = 8;
const MAX_TRIES = 3;
/** How precisely it is known when a layer was used last. */
const TOUCHED_MS = 10 * 60 * 1000;
/** Nothing is fetched or started for longer. */
const ABANDONED_MS = 60 * 60 * 1000;

/**
 * Layers on this computer's disk, for the hosts of a data directory. A device that starts gets a folder of hard links to the layers that
 * it needs: they stay for as long as it runs, whatever becomes of the cache or of this process. A layer is checked when it is fetched.
 */
export class LayerCache {
  readonly #options: LayerCacheOptions;
  readonly #fetching = new Map<string, Promise<void>>();
  #prepared: Promise<void> | undefined;
  #hasGrown = false;

  constructor(options: LayerCacheOptions) {
    this.#options = options;
  }

  /**
   * Fetches what is not here, and returns a folder with all of the layers, each in a file of its name.
   * @param user who needs them, until `release` is called
   * @throws LayerDamagedError; the signal's reason. Nothing is held for the user then.
   */
  async pin(user: string, layers: readonly Layer[], signal: AbortSignal): Promise<string> {
    await this.#prepare();
    const folder = this.#folderOf(user);
    await mkdir(folder, { recursive: true, mode: 0o750 });
    await this.#give(folder);
    try {
      await inTurns(layers, CONCURRENT_FETCHES, async (layer) => {
        signal.throwIfAborted();
        await this.#linkInto(folder, layer, signal);
      });
    } catch (error) {
      await this.release(user);
      throw error;
    }
    await this.trim();
    return folder;
  }

  /** The layers that a user has. */
  pinned(user: string): string {
    return this.#folderOf(user);
  }

  /** Releases everybody. */
  async releaseAll(): Promise<void> {
    await rm(join(this.#options.folder, "used"), { recursive: true, force: true });
    this.#prepared = undefined;
  }

  async release(user: string): Promise<void> {
    await rm(this.#folderOf(user), { recursive: true, force: true });
  }

  /** Forgets layers that turned out to be damaged, so that they are fetched again. */
  async discard(layers: readonly Layer[]): Promise<void> {
    for (const { sha256 } of layers) await rm(this.#pathOf(sha256), { force: true });
  }

  /** Releases users who are gone but were never released, because no process was there at their end. */
  async sweep(users: ReadonlySet<string>): Promise<void> {
    await this.#prepare();
    const parent = join(this.#options.folder, "used");
    for (const name of await readdir(parent))
      if (!users.has(name) && (await this.#isAbandoned(join(parent, name)))) await this.release(name);
    this.#hasGrown = true;
    await this.trim();
  }

  /** Caches a layer that passes by on its way to the store. */
  async *caching(layer: Layer, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    await this.#prepare();
    const path = this.#incoming();
    const file = await open(path, "wx", 0o400);
    try {
      for await (const chunk of bytes) {
        await file.writeFile(chunk);
        yield chunk;
      }
      await file.sync();
      await this.#give(path);
      await this.#touch(path);
      await rename(path, this.#pathOf(layer.sha256));
      this.#hasGrown = true;
    } finally {
      await file.close();
      await rm(path, { force: true });
    }
  }

  async #linkInto(folder: string, layer: Layer, signal: AbortSignal): Promise<void> {
    const target = join(folder, layer.sha256);
    for (let tries = 1; ; tries++) {
      try {
        await link(this.#pathOf(layer.sha256), target).catch(unless("EEXIST"));
        const { size, mtimeMs } = await stat(target);
        // A start may have hundreds of layers: each wait for the file system that it can do without counts.
        const isFresh = Math.abs(this.#options.clock.now() - mtimeMs) < TOUCHED_MS;
        if (size === layer.size) return isFresh ? undefined : await this.#touch(target);
        await this.discard([layer]);
        await rm(target);
      } catch (error) {
        // Not here, or just evicted.
        if ((error as NodeJS.ErrnoException).code !== "ENOENT" || tries >= MAX_TRIES) throw error;
      }
      await abortable(this.#fetch(layer), signal);
    }
  }

  /** One fetch serves all who wait for the layer; it goes on when one of them gives up. */
  #fetch(layer: Layer): Promise<void> {
    const fetching =
      this.#fetching.get(layer.sha256) ?? this.#store(layer).finally(() => this.#fetching.delete(layer.sha256));
    this.#fetching.set(layer.sha256, fetching);
    return fetching;
  }

  async #store(layer: Layer): Promise<void> {
    const bytes = this.caching(layer, this.#options.store.get(layer, new AbortController().signal));
    for await (const _chunk of bytes);
  }

  /** If layers have been added, deletes some that nobody uses, those first that were used longest ago. */
  async trim(): Promise<void> {
    if (!this.#hasGrown) return;
    this.#hasGrown = false;
    const folder = join(this.#options.folder, "layers");
    const found = await Promise.all(
      (await readdir(folder)).map(async (name) => {
        const path = join(folder, name);
        const stats = await stat(path).catch(unless("ENOENT"));
        // A device that uses it has a link of its own.
        return stats?.nlink === 1 ? [{ path, size: stats.size, usedMs: stats.mtimeMs }] : [];
      }),
    );
    const unused = found.flat().toSorted((a, b) => a.usedMs - b.usedMs);
    let bytes = unused.reduce((sum, { size }) => sum + size, 0);
    for (const { path, size } of unused) {
      if (bytes <= this.#options.maxBytes) return;
      await rm(path, { force: true });
      bytes -= size;
    }
  }

  #prepare(): Promise<void> {
    return (this.#prepared ??= this.#makeFolders().catch((error: unknown) => {
      this.#prepared = undefined;
      throw error;
    }));
  }

  async #makeFolders(): Promise<void> {
    const { folder } = this.#options;
    for (const path of [folder, ...["layers", "used", "incoming"].map((name) => join(folder, name))]) {
      await mkdir(path, { recursive: true, mode: 0o750 });
      await this.#give(path);
    }
    // An earlier server may have had hosts under another account.
    for (const name of await readdir(join(folder, "layers"))) await this.#give(join(folder, "layers", name));
    const incoming = join(folder, "incoming");
    for (const name of await readdir(incoming))
      if (await this.#isAbandoned(join(incoming, name))) await rm(join(incoming, name), { force: true });
  }

  /** Lets the hosts' account read a file or folder. */
  async #give(path: string): Promise<void> {
    const account = this.#options.account();
    if (!account) return;
    await chown(path, process.getuid!(), account.gid);
    await chmod(path, (await stat(path)).isDirectory() ? 0o750 : 0o440);
  }

  async #isAbandoned(path: string): Promise<boolean> {
    const stats = await stat(path).catch(unless("ENOENT"));
    return stats !== undefined && this.#options.clock.now() - stats.mtimeMs > ABANDONED_MS;
  }

  /** Notes when a layer was used last. */
  async #touch(path: string): Promise<void> {
    const now = new Date(this.#options.clock.now());
    await utimes(path, now, now);
  }

  #incoming(): string {
    return join(this.#options.folder, "incoming", randomUUID());
  }

  #folderOf(user: string): string {
    return join(this.#options.folder, "used", user);
  }

  #pathOf(sha256: string): string {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new TypeError("not the name of a layer");
    return join(this.#options.folder, "layers", sha256);
  }
}

const unless = (code: string) => (error: NodeJS.ErrnoException) => {
  if (error.code !== code) throw error;
  return undefined;
};
