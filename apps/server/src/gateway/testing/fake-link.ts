import { AdbError, type AdbProcess, type ByteStream } from "@terrarium/adb";
import type { ScrcpyLink } from "../display/open-scrcpy.ts";

/** An adb stream whose other end the test controls. */
export class FakeStream implements ByteStream {
  readonly written: Uint8Array[] = [];
  readonly closed: Promise<void>;
  isClosed = false;
  #taken = Promise.resolve();
  readonly #chunks: Uint8Array[] = [];
  #ended = false;
  #wake = Promise.withResolvers<void>();
  readonly #close = Promise.withResolvers<void>();

  constructor() {
    this.closed = this.#close.promise;
  }

  /** Stops acknowledging writes until the returned function is called. */
  stall(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#taken = promise;
    return resolve;
  }

  /** How much of what the device has sent nobody has read yet. */
  get unread(): number {
    return this.#chunks.length;
  }

  /** The device sends this. */
  push(...chunks: Uint8Array[]): void {
    this.#chunks.push(...chunks);
    this.#wake.resolve();
  }

  async read(): Promise<Uint8Array | undefined> {
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk) return chunk;
      if (this.#ended) return undefined;
      this.#wake = Promise.withResolvers();
      await this.#wake.promise;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (let chunk = await this.read(); chunk; chunk = await this.read()) yield chunk;
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.isClosed) throw new AdbError("STREAM_CLOSED", "the stream is closed");
    this.written.push(bytes);
    await this.#taken;
  }

  async end(): Promise<void> {
    this.close();
  }

  close(): void {
    this.isClosed = true;
    this.#ended = true;
    this.#wake.resolve();
    this.#close.resolve();
  }
}

/** An adb link to a device that the test controls. */
export class FakeLink implements ScrcpyLink {
  readonly commands: string[] = [];
  /** Names of the sockets that were requested. */
  readonly asked: string[] = [];
  /** Answers to the next requests; without one a request is refused. */
  readonly streams: FakeStream[] = [];
  killed = false;
  readonly #exit = Promise.withResolvers<number>();

  async openLocalAbstract(name: string): Promise<ByteStream> {
    this.asked.push(name);
    const stream = this.streams.shift();
    if (!stream) throw new AdbError("REFUSED", "nobody listens");
    return stream;
  }

  async spawn(command: string | readonly string[]): Promise<AdbProcess> {
    this.commands.push(String(command));
    const silent: AsyncIterable<Uint8Array> = (async function* (): AsyncGenerator<Uint8Array> {})();
    return {
      stdout: silent,
      stderr: silent,
      write: async () => undefined,
      closeStdin: async () => undefined,
      resize: async () => undefined,
      exit: this.#exit.promise,
      kill: () => {
        this.killed = true;
      },
    };
  }

  /** The server process ends. */
  exit(code: number): void {
    this.#exit.resolve(code);
  }
}
