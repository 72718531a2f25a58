import type { ByteStream } from "@terrarium/adb";
import { type ControlMessage, encodeControl } from "@terrarium/scrcpy";

/** Moves beyond this many unsent messages are left out: the next one says where the finger is. */
const CROWDED = 32;
/** A device that has not read this many messages does not read. */
const STALLED = 1024;

/** Writes control messages in order and without waiting. A device that stops reading ends the writer, not the memory. */
export class ControlWriter {
  readonly #stream: ByteStream;
  readonly #fail: (error: Error) => void;
  #unsent = 0;

  /** `fail` hears why no more can be written. */
  constructor(stream: ByteStream, fail: (error: Error) => void) {
    this.#stream = stream;
    this.#fail = fail;
  }

  send(message: ControlMessage): void {
    if (this.#unsent >= CROWDED && message.type === "touch" && message.action === "move") return;
    if (this.#unsent >= STALLED) {
      this.#fail(new Error("the device does not read its control socket"));
      return;
    }
    this.#unsent++;
    this.#stream.write(encodeControl(message)).then(
      () => this.#unsent--,
      (error: unknown) => this.#fail(new Error("the control socket broke", { cause: error })),
    );
  }
}
