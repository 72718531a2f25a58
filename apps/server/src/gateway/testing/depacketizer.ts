const RTP_HEADER_BYTES = 12;
const STAP_A = 24;
const FU_A = 28;

/** A picture that was received: the units of one RTP time, without start codes. */
export interface ReceivedPicture {
  rtpTime: number;
  units: Buffer[];
}

/** Puts H.264 back together from RTP (RFC 6184): single units, STAP-A and FU-A. For a network that loses nothing. */
export class Depacketizer {
  #units: Buffer[] = [];
  #parts: Buffer[] = [];

  /** The picture whose last packet this is, if it is one. */
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
