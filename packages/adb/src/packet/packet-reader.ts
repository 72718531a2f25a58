import { AdbError } from "../errors.ts";
import { commandNames, HEADER_BYTES, MIN_PAYLOAD_BYTES } from "./constants.ts";
import type { Packet } from "./packet.ts";

const NOTHING = new Uint8Array(0);

/**
 * Turns the bytes of an adb transport into packets, however they are cut. It holds at most one packet and knows no socket.
 * Checksums are not looked at: TCP has its own.
 */
export class PacketReader {
  /** The longest payload that is taken; raised once both sides have announced theirs. */
  maxPayloadBytes = MIN_PAYLOAD_BYTES;
  readonly #header = new Uint8Array(HEADER_BYTES);
  readonly #view = new DataView(this.#header.buffer);
  #headerLength = 0;
  #packet: Packet | undefined;
  #payloadLength = 0;
  #error: AdbError | undefined;

  /**
   * Gives each packet that is complete, one by one, so that those before a fault in the same chunk are seen and a change of
   * `maxPayloadBytes` holds for the next. Throws `AdbError` `PROTOCOL` on a header that no peer sends, before it buffers any of its
   * payload, and from then on always.
   */
  *push(chunk: Uint8Array): Generator<Packet> {
    if (this.#error) throw this.#error;
    let rest = chunk;
    while (rest.length > 0) {
      rest = this.#packet ? this.#takePayload(this.#packet, rest) : this.#takeHeader(rest);
      if (this.#packet && this.#payloadLength === this.#packet.payload.length) {
        const packet = this.#packet;
        this.#packet = undefined;
        this.#headerLength = 0;
        yield packet;
      }
    }
  }

  #takeHeader(bytes: Uint8Array): Uint8Array {
    const taken = bytes.subarray(0, HEADER_BYTES - this.#headerLength);
    this.#header.set(taken, this.#headerLength);
    this.#headerLength += taken.length;
    if (this.#headerLength === HEADER_BYTES) {
      this.#packet = this.#parseHeader();
      this.#payloadLength = 0;
    }
    return bytes.subarray(taken.length);
  }

  #takePayload(packet: Packet, bytes: Uint8Array): Uint8Array {
    const taken = bytes.subarray(0, packet.payload.length - this.#payloadLength);
    packet.payload.set(taken, this.#payloadLength);
    this.#payloadLength += taken.length;
    return bytes.subarray(taken.length);
  }

  #parseHeader(): Packet {
    const view = this.#view;
    const command = view.getUint32(0, true);
    const length = view.getUint32(12, true);
    if (view.getUint32(20, true) !== ~command >>> 0) throw this.#fault("the header's magic does not match its command");
    if (!commandNames.has(command)) throw this.#fault(`unknown command 0x${command.toString(16)}`);
    if (length > this.maxPayloadBytes)
      throw this.#fault(`a payload of ${length} bytes where ${this.maxPayloadBytes} is the most`);
    return {
      command,
      arg0: view.getUint32(4, true),
      arg1: view.getUint32(8, true),
      payload: length === 0 ? NOTHING : new Uint8Array(length),
    };
  }

  #fault(message: string): AdbError {
    this.#error = new AdbError("PROTOCOL", message);
    return this.#error;
  }
}
