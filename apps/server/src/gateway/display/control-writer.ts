import type { ByteStream } from "@terrarium/adb";
import { type ControlMessage, encodeControl } from "@terrarium/scrcpy";

/** Moves beyond this many unsent messages are left out: the next one says where the finger is. */
const CROWDED = 32;
/** Beyond this many nothing new is begun: the device has enough to do, and what it has begun must be able to end. */
const BUSY = 256;
/** A device that has not read this many messages does not read. */
const STALLED = 1024;

/**
 * Writes control messages in order and without waiting. What comes while a write is under way goes together in the next:
 * adb has one packet in flight, and a device that paints takes its time to say that it has it. A device that stops
 * reading ends the writer, not the memory.
 */
export class ControlWriter {
  readonly #stream: ByteStream;
  readonly #fail: (error: Error) => void;
  #waiting: Uint8Array[] = [];
  #isWriting = false;

  /** `fail` hears why no more can be written. */
  constructor(stream: ByteStream, fail: (error: Error) => void) {
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
      // It stays in writing: nothing more is tried on a socket that broke.
      this.#fail(new Error("the control socket broke", { cause: error }));
    }
  }
}

function joined(messages: Uint8Array[]): Uint8Array {
  const [first] = messages;
  return messages.length === 1 && first ? first : Buffer.concat(messages);
}

/** What ends something, and the key frame that a viewer waits for. */
function mustArrive(message: ControlMessage): boolean {
  return message.type === "resetVideo" || ("action" in message && message.action === "up");
}
