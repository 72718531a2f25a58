import type { ByteReader } from "../byte-reader.ts";
import type { ByteStream } from "../byte-stream.ts";
import { MAX_DATA_BYTES, syncId } from "../sync/constants.ts";
import { decodeFrame, encodeFail, encodeFrame, FRAME_HEADER_BYTES } from "../sync/sync-frame.ts";
import { DeviceFileError, type DeviceFiles, type FileWriter } from "./device-files.ts";

const S_IFMT = 0o170000;
const S_IFREG = 0o100000;

interface Destination {
  files: DeviceFiles;
  report: ((error: unknown) => void) | undefined;
}

/** Receives the file of a SEND. Returns false when the stream can no longer be understood. */
export async function receiveFile(
  stream: ByteStream,
  reader: ByteReader,
  pathAndMode: string,
  { files, report }: Destination,
): Promise<boolean> {
  const comma = pathAndMode.lastIndexOf(",");
  const mode = Number(pathAndMode.slice(comma + 1));
  if (comma < 1 || !Number.isInteger(mode) || mode < 0 || mode > 0o177777) {
    await stream.write(encodeFail("missing , in ID_SEND"));
    return false;
  }
  const file = new ReceivedFile(report);
  try {
    await file.start(() => files.create(pathAndMode.slice(0, comma), mode & S_IFMT ? mode : S_IFREG | mode));
    const result = await receiveData(stream, reader, file);
    await stream.write(result.failure === undefined ? encodeFrame(syncId.OKAY) : encodeFail(result.failure));
    return result.understood;
  } finally {
    await file.discard();
  }
}

/** Reads to the end even when the file cannot be stored: the host sends all of it before it reads the answer. */
async function receiveData(
  stream: ByteStream,
  reader: ByteReader,
  file: ReceivedFile,
): Promise<{ failure?: string | undefined; understood: boolean }> {
  for (;;) {
    const { id, value } = decodeFrame(await reader.exactly(FRAME_HEADER_BYTES));
    if (id === syncId.DONE) {
      await file.commit(value);
      return { failure: file.failure, understood: true };
    }
    if (id !== syncId.DATA) return { failure: "invalid data message", understood: false };
    if (value > MAX_DATA_BYTES) return { failure: "oversize data message", understood: false };
    for (let left = value; left > 0;) {
      const part = await reader.upTo(left);
      if (!part) return { failure: "the file ended too early", understood: false };
      left -= part.length;
      await file.write(part);
    }
  }
}

/** A file being written, which remembers why it could not be stored. */
class ReceivedFile {
  failure: string | undefined;
  readonly #report: ((error: unknown) => void) | undefined;
  #writer: FileWriter | undefined;

  constructor(report: ((error: unknown) => void) | undefined) {
    this.#report = report;
  }

  async start(create: () => Promise<FileWriter>): Promise<void> {
    await this.#attempt("couldn't create file", async () => {
      this.#writer = await create();
    });
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.failure === undefined) await this.#attempt("write failed", async () => this.#writer?.write(bytes));
  }

  async commit(mtime: number): Promise<void> {
    await this.#attempt("write failed", async () => this.#writer?.commit(mtime));
    if (this.failure === undefined) this.#writer = undefined;
  }

  /** Does nothing after a commit. */
  async discard(): Promise<void> {
    const writer = this.#writer;
    this.#writer = undefined;
    await writer?.discard();
  }

  async #attempt(what: string, action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      if (!(error instanceof DeviceFileError)) this.#report?.(error);
      this.failure = `${what}: ${error instanceof DeviceFileError ? error.message : "I/O error"}`;
      await this.discard();
    }
  }
}
