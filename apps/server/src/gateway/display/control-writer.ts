import type { ByteStream } from "@terrarium/adb";
import { type ControlMessage, encodeControl } from "@terrarium/scrcpy";

/** Beyond this many unsent messages, moves are dropped: the next one says where the finger is. */
const CROWDED = 32;
/** Beyond this many, only releases and key frame requests are taken: the device is busy, but what began must be able to end. */
const BUSY = 256;
/** A device with this many unread messages has stopped reading. */
const STALLED = 1024;

/**
 * Writes control messages in order, without making the caller wait. Messages that arrive during a write go out together in
 * the next one: adb allows one unacknowledged packet, or a window of them, and a busy device is slow to acknowledge. A device that stops
 * reading ends the writer before memory runs out.
 */
export class ControlWriter {
  readonly #stream: Pick<ByteStream, "write">;
  readonly #fail: (error: Error) => void;
  #waiting: Uint8Array[] = [];
  #isWriting = false;

  /** `fail` is called with the reason when nothing more can be written. */
  constructor(stream: Pick<ByteStream, "write">, fail: (error: Error) => void) {
    this.#stream = stream;
    this.#fail = fail;
  }

  send(message: ControlMessage): void {
    if (this.#waiting.length >= CROWDED && message.type === "touch" && message.action === "move") return;
    if (this.#waiting.length >= BUSY && !mustArrive(message)) return;
    if (this.#waiting.length >= STALLED) {
      this.#fail(new Error("the device does not read its control socket"));
      return;
    }
    this.#waiting.push(encodeControl(message));
    if (!this.#isWriting) void this.#write();
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    try {
      while (this.#waiting.length > 0) await this.#stream.write(joined(this.#waiting.splice(0)));
      this.#isWriting = false;
    } catch (error) {
      // `#isWriting` stays true, so that nothing more is written to a broken socket.
      this.#fail(new Error("the control socket broke", { cause: error }));
    }
  }
}

function joined(messages: Uint8Array[]): Uint8Array {
  const [first] = messages;
  return messages.length === 1 && first ? first : Buffer.concat(messages);
}

/** Releases, and the key frame that a viewer is waiting for. */
function mustArrive(message: ControlMessage): boolean {
  return message.type === "resetVideo" || ("action" in message && message.action === "up");
}
