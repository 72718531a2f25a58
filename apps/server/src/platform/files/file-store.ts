/** A file in the store. */
export interface StoredFile {
  key: string;
  /** In bytes. */
  size: number;
}

export interface PutOptions {
  /** A longer stream is refused, and none of it is stored. */
  maxBytes: number;
  signal?: AbortSignal;
}

/** Bytes `start` to `end`, inclusive; without `end`, to the end of the file. */
export interface ByteRange {
  start: number;
  end?: number;
}

/** A key, or how it follows from the content. */
export type FileKey = string | ((sha256: string, size: number) => string | Promise<string>);

/**
 * Stores files under keys, in a directory or an S3-compatible service. A key is lower-case names joined by slashes; no key may be the
 * folder of another. Invalid keys are refused with a TypeError.
 */
export interface FileStore {
  /**
   * Stores a stream atomically, replacing any file with that key. The key may be computed from the content's SHA-256 (hex) and size, once
   * all of it has arrived: content that is stored by then, in its full size, is not stored again.
   * @throws FileTooLargeError over `maxBytes`; whatever the stream throws.
   */
  put(key: FileKey, content: AsyncIterable<Uint8Array>, options: PutOptions): Promise<StoredFile & { sha256: string }>;
  /**
   * The file's bytes, or a range of them.
   * @throws FileNotFoundError; RangeError when the range begins after the end of the file.
   */
  get(key: string, options?: { range?: ByteRange; signal?: AbortSignal }): Promise<AsyncIterable<Uint8Array>>;
  /** Undefined when there is no such file. */
  head(key: string, signal?: AbortSignal): Promise<StoredFile | undefined>;
  /** Deletes the file, if there is one. */
  delete(key: string, signal?: AbortSignal): Promise<void>;
  /** The files in a folder and below, in no particular order; without a folder, all files. */
  list(folder?: string, signal?: AbortSignal): AsyncIterable<StoredFile>;
}

export class FileNotFoundError extends Error {
  override name = "FileNotFoundError";

  constructor(key: string) {
    super(`There is no file ${key}`);
  }
}

export class FileTooLargeError extends Error {
  override name = "FileTooLargeError";

  constructor(maxBytes: number) {
    super(`The file is larger than ${maxBytes} bytes`);
  }
}

/** In characters. S3 allows 1024 bytes for a key; file systems allow 255 for each name in a path. */
const MAX_KEY_LENGTH = 500;
const KEY = /^[a-z0-9][a-z0-9._-]{0,199}(\/[a-z0-9][a-z0-9._-]{0,199})*$/;

/**
 * Returns a valid key: one that cannot leave the folder, is not hidden, and does not differ from another by case alone.
 * @throws TypeError
 */
export function checkKey(key: string): string {
  if (key.length > MAX_KEY_LENGTH || !KEY.test(key)) throw new TypeError("The file key is not valid");
  return key;
}

/** @throws RangeError unless both ends are whole, not negative and in order. */
export function checkRange({ start, end = start }: ByteRange): void {
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start)
    throw new RangeError("The byte range is not valid");
}
