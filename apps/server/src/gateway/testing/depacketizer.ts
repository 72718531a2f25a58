const RTP_HEADER_BYTES = 12;
const STAP_A = 24;
const FU_A = 28;

/** A received picture: the NAL units of one RTP timestamp, without start codes. */
export interface ReceivedPicture {
  rtpTime: number;
  units: Buffer[];
}

/** Reassembles H.264 from RTP (RFC 6184): single units, STAP-A and FU-A. Assumes that no packet is lost. */
export class Depacketizer {
  #units: Buffer[] = [];
  #parts: Buffer[] = [];

  /** Returns a picture when this is its last packet. */
  push(packet: Buffer): ReceivedPicture | undefined {
    const first = packet[0] ?? 0;
    let at = RTP_HEADER_BYTES + (first & 0x0f) * 4;
    if ((first & 0x10) !== 0) at += 4 + packet.readUInt16BE(at + 2) * 4;
    this.#take(packet.subarray(at));
    const isLast = ((packet[1] ?? 0) & 0x80) !== 0;
    return isLast ? { rtpTime: packet.readUInt32BE(4), units: this.#units.splice(0) } : undefined;
  }

  #take(payload: Buffer): void {
    const type = (payload[0] ?? 0) & 0x1f;
    if (type === STAP_A) {
      for (let at = 1; at < payload.length;) {
        const length = payload.readUInt16BE(at);
        this.#units.push(Buffer.from(payload.subarray(at + 2, at + 2 + length)));
        at += 2 + length;
      }
    } else if (type === FU_A) {
      const header = payload[1] ?? 0;
      if ((header & 0x80) !== 0) this.#parts = [Buffer.from([((payload[0] ?? 0) & 0xe0) | (header & 0x1f)])];
      this.#parts.push(Buffer.from(payload.subarray(2)));
      if ((header & 0x40) !== 0) this.#units.push(Buffer.concat(this.#parts.splice(0)));
    } else {
      this.#units.push(Buffer.from(payload));
    }
  }
}
