import { ByteReader } from "../byte-reader.ts";
import type { ByteStream } from "../byte-stream.ts";
import { AdbError } from "../errors.ts";
import {
  MAX_DATA_BYTES,
  MAX_ENTRIES,
  MAX_FAIL_BYTES,
  MAX_NAME_BYTES,
  MAX_PATH_BYTES,
  syncId,
} from "../sync/constants.ts";
import { encodeBlock, encodeFrame } from "../sync/sync-frame.ts";
import { decodeStat, decodeStat2, STAT2_BYTES, STAT_BYTES } from "../sync/stat.ts";
import type { PushOptions, RemoteEntry, RemoteStat } from "./adb-link.ts";

const S_IFREG = 0o100000;
/** Blocks that are sent together: a device acknowledges a write, and not its blocks. With their headers they fit into one packet. */
const MAX_WRITE_BYTES = 15 * MAX_DATA_BYTES;
const decoder = new TextDecoder();

/** The host's side of one `sync:` stream. One request at a time; after an error it can only be closed. */
export class SyncClient {
  readonly #stream: ByteStream;
  readonly #reader: ByteReader;
  readonly #features: ReadonlySet<string>;

  constructor(stream: ByteStream, features: ReadonlySet<string>) {
    this.#stream = stream;
    this.#reader = new ByteReader(stream);
    this.#features = features;
  }

  async stat(path: string): Promise<RemoteStat | undefined> {
    if (!this.#features.has("stat_v2")) {
      await this.#request(syncId.STAT, path);
      await this.#expect(syncId.STAT);
      const stat = decodeStat(await this.#reader.exactly(STAT_BYTES));
      return stat.mode === 0 ? undefined : stat;
    }
    await this.#request(syncId.STA2, path);
    await this.#expect(syncId.STA2);
    const { errno, ...stat } = decodeStat2(await this.#reader.exactly(STAT2_BYTES));
    return errno === 0 ? stat : undefined;
  }

  async list(path: string): Promise<RemoteEntry[]> {
    const isVersion2 = this.#features.has("ls_v2");
    await this.#request(isVersion2 ? syncId.LIS2 : syncId.LIST, path);
    const entryId = isVersion2 ? syncId.DNT2 : syncId.DENT;
    const statBytes = isVersion2 ? STAT2_BYTES : STAT_BYTES;
    const entries: RemoteEntry[] = [];
    while ((await this.#expect(entryId, syncId.DONE)) === entryId) {
      if (entries.length >= MAX_ENTRIES)
        throw new AdbError("TOO_LARGE", `${path} has more than ${MAX_ENTRIES} entries`);
      const entry = await this.#readEntry(statBytes);
      if (entry.name !== "." && entry.name !== "..") entries.push(entry);
    }
    await this.#reader.exactly(statBytes + 4);
    return entries;
  }

  async push({ path, mode = 0o644, mtime, source }: PushOptions): Promise<void> {
    const target = `${path},${S_IFREG | (mode & 0o777)}`;
    try {
      await this.#request(syncId.SEND, target);
      for await (const chunk of source)
        for (let at = 0; at < chunk.length; at += MAX_WRITE_BYTES)
          await this.#stream.write(encodeBlocks(chunk.subarray(at, at + MAX_WRITE_BYTES)));
      await this.#stream.write(encodeFrame(syncId.DONE, Math.trunc(mtime)));
    } catch (error) {
      // A device that closed early may have said why first.
      if (error instanceof AdbError && error.code === "STREAM_CLOSED") await this.#expect(syncId.OKAY);
      throw error;
    }
    await this.#expect(syncId.OKAY);
    await this.#reader.exactly(4);
  }

  async *pull(path: string): AsyncGenerator<Uint8Array> {
    await this.#request(syncId.RECV, path);
    while ((await this.#expect(syncId.DATA, syncId.DONE)) === syncId.DATA) {
      const length = await this.#readLength(MAX_DATA_BYTES);
      for (let left = length; left > 0;) {
        const part = await this.#reader.upTo(left);
        if (!part) throw new AdbError("STREAM_CLOSED", "the file ended too early");
        left -= part.length;
        yield part;
      }
    }
    await this.#reader.exactly(4);
  }

  async quit(): Promise<void> {
    await this.#stream.write(encodeFrame(syncId.QUIT));
    await this.#stream.end();
  }

  async #request(id: number, path: string): Promise<void> {
    const bytes = new TextEncoder().encode(path);
    if (bytes.length > MAX_PATH_BYTES || path.includes("\0"))
      throw new AdbError("INVALID_ARGUMENT", `a path has at most ${MAX_PATH_BYTES} bytes and no NUL`);
    await this.#stream.write(encodeBlock(id, bytes));
  }

  /** Reads the id of the next answer, which is one of `ids`. Throws a FAIL as an error with the device's words. */
  async #expect(...ids: number[]): Promise<number> {
    const id = new DataView((await this.#reader.exactly(4)).buffer).getUint32(0, true);
    if (ids.includes(id)) return id;
    if (id === syncId.FAIL)
      throw new AdbError("FAILED", decoder.decode(await this.#reader.exactly(await this.#readLength(MAX_FAIL_BYTES))));
    throw new AdbError("PROTOCOL", `a sync answer that was not asked for: 0x${id.toString(16)}`);
  }

  async #readLength(max: number): Promise<number> {
    const length = new DataView((await this.#reader.exactly(4)).buffer).getUint32(0, true);
    if (length > max) throw new AdbError("PROTOCOL", `a sync answer of ${length} bytes where ${max} is the most`);
    return length;
  }

  async #readEntry(statBytes: number): Promise<RemoteEntry> {
    const bytes = await this.#reader.exactly(statBytes);
    const { mode, size, mtime } = statBytes === STAT2_BYTES ? decodeStat2(bytes) : decodeStat(bytes);
    const name = decoder.decode(await this.#reader.exactly(await this.#readLength(MAX_NAME_BYTES)));
    // Callers make paths from names, and one with a slash would lead out of the folder.
    if (/[/\0]/.test(name) || name === "") throw new AdbError("PROTOCOL", "an entry's name is no name");
    return { name, mode, size, mtime };
  }
}

function encodeBlocks(bytes: Uint8Array): Uint8Array {
  const blocks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += MAX_DATA_BYTES)
    blocks.push(encodeBlock(syncId.DATA, bytes.subarray(at, at + MAX_DATA_BYTES)));
  return Buffer.concat(blocks);
}
