import { sequenceSize } from "./sequence-size.ts";

const RTP_HEADER_BYTES = 12;
const TYPE = 0x1f;
/** Payload types (RFC 6184, section 5.2): several NAL units in one packet, and a fragment of one. */
const STAP_A = 24;
const FU_A = 28;
/** A slice of a key frame. */
const IDR = 5;
/** A sequence parameter set, which contains the size. */
const SPS = 7;

/** A complete frame, as received from the network. */
export interface ReceivedPicture {
  keyFrame: boolean;
  /** In units of 1/90000 s. */
  rtpTime: number;
  bytes: number;
}

/** Finds complete access units in RTP packets of H.264. Frames with missing packets are dropped. */
export class Depacketizer {
  #types: number[] = [];
  #bytes = 0;
  #next: number | undefined;
  #broken = false;
  #size = { width: 0, height: 0 };

  /** The size in the latest parameter set, in pixels. */
  get size(): { width: number; height: number } {
    return this.#size;
  }

  /** Returns a frame if this is its last packet and none was lost. */
  push(packet: Buffer): ReceivedPicture | undefined {
    const sequence = packet.readUInt16BE(2);
    if (this.#next !== undefined && sequence !== this.#next) this.#broken = true;
    this.#next = (sequence + 1) & 0xffff;
    let at = RTP_HEADER_BYTES + ((packet[0] ?? 0) & 0x0f) * 4;
    if (((packet[0] ?? 0) & 0x10) !== 0) at += 4 + packet.readUInt16BE(at + 2) * 4;
    this.#take(packet.subarray(at));
    if (((packet[1] ?? 0) & 0x80) === 0) return undefined;
    const whole = this.#broken
      ? undefined
      : { keyFrame: this.#types.includes(IDR), rtpTime: packet.readUInt32BE(4), bytes: this.#bytes };
    this.#types = [];
    this.#bytes = 0;
    this.#broken = false;
    return whole;
  }

  #take(payload: Buffer): void {
    this.#bytes += payload.length;
    const type = (payload[0] ?? 0) & TYPE;
    if (type === FU_A) {
      const header = payload[1] ?? 0;
      // Count the unit when its last fragment has arrived.
      if ((header & 0x40) !== 0) this.#types.push(header & TYPE);
    } else if (type === STAP_A) {
      for (let at = 1; at + 2 < payload.length; at += 2 + payload.readUInt16BE(at))
        this.#takeUnit(payload.subarray(at + 2, at + 2 + payload.readUInt16BE(at)));
    } else {
      this.#takeUnit(payload);
    }
  }

  #takeUnit(unit: Buffer): void {
    const type = (unit[0] ?? 0) & TYPE;
    this.#types.push(type);
    if (type === SPS) this.#size = sequenceSize(unit);
  }
}
