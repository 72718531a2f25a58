const PAYLOAD_SPECIFIC_FEEDBACK = 206;
const PICTURE_LOSS = 1;
const FULL_INTRA_REQUEST = 4;

/** Whether a compound RTCP packet asks for a key frame (RFC 4585, RFC 5104). What is no RTCP asks for nothing. */
export function asksForKeyFrame(packet: Uint8Array): boolean {
  const view = new DataView(packet.buffer, packet.byteOffset, packet.byteLength);
  for (let at = 0; at + 4 <= view.byteLength; at += 4 + view.getUint16(at + 2) * 4) {
    const first = view.getUint8(at);
    if (first >> 6 !== 2) return false;
    const format = first & 0x1f;
    if (
      view.getUint8(at + 1) === PAYLOAD_SPECIFIC_FEEDBACK &&
      (format === PICTURE_LOSS || format === FULL_INTRA_REQUEST)
    )
      return true;
  }
  return false;
}
