import type { ByteStream } from "@terrarium/adb";
import type { Socket } from "node:net";

/** A socket as a stream that is read when the reader wants to, so that a slow one holds back the other end. */
export class SocketStream implements ByteStream {
  readonly closed: Promise<void>;
  readonly #socket: Socket;
  #wake = Promise.withResolvers<void>();

  constructor(socket: Socket) {
    this.#socket = socket;
    this.closed = new Promise((resolve) => socket.once("close", () => resolve()));
    const wake = () => {
      this.#wake.resolve();
      this.#wake = Promise.withResolvers();
    };
    for (const event of ["readable", "end", "close"]) socket.on(event, wake);
    // "close" follows, which says the same.
    socket.on("error", () => undefined);
  }

  read(): Promise<Uint8Array | undefined> {
    return this.#read();
  }

  /** Exactly this many bytes; undefined if the other end has closed before. */
  async take(bytes: number): Promise<string | undefined> {
    return (await this.#read(bytes))?.toString();
  }

  async #read(bytes?: number): Promise<Buffer | undefined> {
    for (;;) {
      const woken = this.#wake.promise;
      const chunk = this.#socket.read(bytes) as Buffer | null;
      if (chunk) return bytes === undefined || chunk.length === bytes ? chunk : undefined;
      if (this.#socket.readableEnded || this.#socket.destroyed) return undefined;
      await woken;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (let bytes = await this.read(); bytes; bytes = await this.read()) yield bytes;
    } finally {
      this.close();
    }
  }

  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => this.#socket.write(bytes, (error) => (error ? reject(error) : resolve())));
  }

  async end(): Promise<void> {
    this.#socket.end();
  }

  close(): void {
    this.#socket.destroy();
  }
}
