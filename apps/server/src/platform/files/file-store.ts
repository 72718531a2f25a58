/** A file in the store. */
export interface StoredFile {
  key: string;
  /** Bytes. */
  size: number;
}

export interface PutOptions {
  /** A stream with more bytes is refused, and nothing of it is kept. */
  maxBytes: number;
  signal?: AbortSignal;
}

/** Bytes from `start` to `end`, both among them; to the end of the file without `end`. */
export interface ByteRange {
  start: number;
  end?: number;
}

/**
 * Keeps files under keys: in a directory or in an S3-compatible store. A key is lower-case names joined by slashes; no key is a folder of
 * another one. Keys that cannot be are refused with a TypeError.
 */
export interface FileStore {
  /**
   * Keeps a whole stream or nothing of it, and replaces what had the key. A key may be made of the content's SHA-256 (hex): then a
   * content that is there already is not kept twice.
   * @throws FileTooLargeError past `maxBytes`; what the stream throws.
   */
  put(
    key: string | ((sha256: string) => string),
    content: AsyncIterable<Uint8Array>,
    options: PutOptions,
  ): Promise<StoredFile & { sha256: string }>;
  /**
   * The file's bytes, or some of them.
   * @throws FileNotFoundError; RangeError when the range begins behind the file's end.
   */
  get(key: string, options?: { range?: ByteRange; signal?: AbortSignal }): Promise<AsyncIterable<Uint8Array>>;
  head(key: string, signal?: AbortSignal): Promise<StoredFile | undefined>;
  /** Is content when there is none. */
  delete(key: string, signal?: AbortSignal): Promise<void>;
  /** Every file in a folder and the folders in it, in no promised order; all files without a folder. */
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

/** S3 allows 1024 bytes; a name in a directory may have 255. */
const MAX_KEY_LENGTH = 500;
const KEY = /^[a-z0-9][a-z0-9._-]{0,199}(\/[a-z0-9][a-z0-9._-]{0,199})*$/;

/** The key, if it is one: nothing that leads out of a folder, is hidden in it, or differs from another by case alone. */
export function checkKey(key: string): string {
  if (key.length > MAX_KEY_LENGTH || !KEY.test(key)) throw new TypeError("This is no key of a file");
  return key;
}

export function checkRange({ start, end = start }: ByteRange): void {
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start)
    throw new RangeError("This is no range of bytes");
}
