import {
  DeviceFileError,
  type DeviceFiles,
  type FileEntry,
  type FileStat,
  type FileWriter,
} from "../daemon/device-files.ts";

interface ToyFile {
  mode: number;
  mtime: number;
  bytes: Uint8Array;
}

const FOLDER_MODE = 0o040755;

/** Files in a map, enough for the sync protocol. Folders are what paths are made of; `/readonly` takes nothing. */
export class ToyFiles implements DeviceFiles {
  readonly files = new Map<string, ToyFile>();
  /** Writers that were discarded. */
  discarded = 0;

  async stat(path: string): Promise<FileStat> {
    const file = this.files.get(path);
    if (file) return { mode: file.mode, size: file.bytes.length, mtime: file.mtime };
    if (this.#isFolder(path)) return { mode: FOLDER_MODE, size: 4096, mtime: 0 };
    throw new DeviceFileError("ENOENT", "No such file or directory");
  }

  async list(path: string): Promise<FileEntry[]> {
    if (!this.#isFolder(path)) throw new DeviceFileError("ENOENT", "No such file or directory");
    const prefix = path.endsWith("/") ? path : `${path}/`;
    const names = new Set<string>();
    for (const known of this.files.keys())
      if (known.startsWith(prefix)) names.add(known.slice(prefix.length).split("/")[0]!);
    const entries = [...names].map(async (name) => ({ name, ...(await this.stat(prefix + name)) }));
    return await Promise.all(entries);
  }

  async *read(path: string): AsyncGenerator<Uint8Array> {
    const file = this.files.get(path);
    if (!file) throw new DeviceFileError("ENOENT", "No such file or directory");
    yield file.bytes;
  }

  async create(path: string, mode: number): Promise<FileWriter> {
    if (path.startsWith("/readonly/")) throw new DeviceFileError("EROFS", "Read-only file system");
    const parts: Uint8Array[] = [];
    return {
      write: async (bytes) => void parts.push(bytes.slice()),
      commit: async (mtime) => void this.files.set(path, { mode, mtime, bytes: new Uint8Array(Buffer.concat(parts)) }),
      discard: async () => void this.discarded++,
    };
  }

  #isFolder(path: string): boolean {
    const prefix = path.endsWith("/") ? path : `${path}/`;
    return (
      path === "/" || path === "/data/local/tmp" || [...this.files.keys()].some((known) => known.startsWith(prefix))
    );
  }
}
