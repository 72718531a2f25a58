import { ScrcpyError } from "../errors.ts";
import { ByteCursor } from "./byte-cursor.ts";
import { HeldBytes } from "./held-bytes.ts";

/** How the messages of one direction are delimited and parsed. */
export interface MessageForm<Message> {
  /**
   * The length in bytes of the message at the start of `bytes`; undefined until it is known. Throws on a message that no peer sends.
   * `bytes` has at least one byte.
   */
  lengthOf(bytes: Uint8Array): number | undefined;
  /** Reads one whole message. */
  read(message: ByteCursor): Message;
}

/** Parses messages from chunks of any size. Buffers at most one message. */
export class MessageReader<Message> {
  readonly #form: MessageForm<Message>;
  readonly #maxBytes: number;
  readonly #held = new HeldBytes();
  #error: ScrcpyError | undefined;

  constructor(form: MessageForm<Message>, maxBytes: number) {
    this.#form = form;
    this.#maxBytes = maxBytes;
  }

  /**
   * Yields complete messages one by one, so that those before a fault in the same chunk are seen.
   * Throws `ScrcpyError` `PROTOCOL` on an invalid message, before waiting for all its bytes, and again on every later call.
   */
  *push(chunk: Uint8Array): Generator<Message> {
    if (this.#error) throw this.#error;
    this.#held.append(chunk);
    for (let message = this.#next(); message !== undefined; message = this.#next()) yield message;
  }

  #next(): Message | undefined {
    const { bytes } = this.#held;
    if (bytes.length === 0) return undefined;
    try {
      const length = this.#form.lengthOf(bytes);
      if (length !== undefined && length > this.#maxBytes)
        throw new ScrcpyError("PROTOCOL", `a message of ${length} bytes where ${this.#maxBytes} is the most`);
      if (length === undefined || length > bytes.length) return undefined;
      const message = this.#form.read(new ByteCursor(bytes.subarray(0, length)));
      this.#held.drop(length);
      return message;
    } catch (error) {
      if (error instanceof ScrcpyError) this.#error = error;
      throw error;
    }
  }
}
