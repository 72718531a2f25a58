/** As in Linux' stat(2); `mode` has the type bits (0o100644 is a plain file, 0o040755 a folder, 0o120777 a link). */
export interface FileStat {
  mode: number;
  size: number;
  /** Seconds since 1970. */
  mtime: number;
  dev?: number;
  ino?: number;
  nlink?: number;
  uid?: number;
  gid?: number;
  atime?: number;
  ctime?: number;
}

export interface FileEntry extends FileStat {
  name: string;
}

/** One file being written. Exactly one of `commit` and `discard` ends it. */
export interface FileWriter {
  write(bytes: Uint8Array): Promise<void>;
  /** The file is whole. `mtime` is in seconds since 1970. */
  commit(mtime: number): Promise<void>;
  /** The host went away or gave up in the middle. */
  discard(): Promise<void>;
}

/** What `adb push`, `pull`, `ls` and `sync` need of the device. Paths are absolute and not yet normalised. */
export interface DeviceFiles {
  /** Throws `DeviceFileError`. `followLinks` false asks for the link itself. */
  stat(path: string, followLinks: boolean): Promise<FileStat>;
  /** Lists a folder, with or without `.` and `..`. Throws `DeviceFileError`. */
  list(path: string): Promise<Iterable<FileEntry>>;
  /** Reads a file. Throws `DeviceFileError`, at once or in the middle. */
  read(path: string): AsyncIterable<Uint8Array>;
  /**
   * Starts a file at `path`, making its folders. `mode` has the type bits; with those of a link what is written is the
   * link's target. Throws `DeviceFileError`.
   */
  create(path: string, mode: number): Promise<FileWriter>;
}

/** The errno numbers of Linux that sync answers carry. */
export const errnos = {
  EPERM: 1,
  ENOENT: 2,
  EIO: 5,
  EACCES: 13,
  EEXIST: 17,
  ENOTDIR: 20,
  EISDIR: 21,
  EINVAL: 22,
  EFBIG: 27,
  ENOSPC: 28,
  EROFS: 30,
  ENAMETOOLONG: 36,
  ELOOP: 40,
} as const;

export type Errno = keyof typeof errnos;

/** A file operation that the device refuses. Whoever typed `adb push` sees the message, so word it as Linux would. */
export class DeviceFileError extends Error {
  override readonly name = "DeviceFileError";
  readonly errno: Errno;

  constructor(errno: Errno, message: string) {
    super(message);
    this.errno = errno;
  }
}
