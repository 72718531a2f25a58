const RECEIVER_REPORT = 201;
const PAYLOAD_SPECIFIC_FEEDBACK = 206;
const PICTURE_LOSS = 1;
const FULL_INTRA_REQUEST = 4;

const REPORT_HEADER_BYTES = 8;
const REPORT_BLOCK_BYTES = 24;

/** A browser's report on what it receives. */
export interface Feedback {
  /** It lost data that it cannot decode without. */
  keyFrame: boolean;
  /** What arrived since its last report. */
  report: ReceiverReport | undefined;
}

export interface ReceiverReport {
  /** The share of packets lost since the last report, 0 to 1. */
  lost: number;
  /** The highest sequence number received: 16 bits, with the number of wraps above them. */
  highestSequence: number;
}

/** Reads a compound RTCP packet (RFC 3550, RFC 4585, RFC 5104). Anything that is not RTCP is ignored. */
export function readFeedback(packet: Uint8Array): Feedback {
  const view = new DataView(packet.buffer, packet.byteOffset, packet.byteLength);
  const feedback: Feedback = { keyFrame: false, report: undefined };
  for (let at = 0; at + 4 <= view.byteLength;) {
    const first = view.getUint8(at);
    const length = 4 + view.getUint16(at + 2) * 4;
    if (first >> 6 !== 2 || at + length > view.byteLength) break;
    // In a report this is the number of blocks, in feedback its format.
    const count = first & 0x1f;
    const type = view.getUint8(at + 1);
    if (type === PAYLOAD_SPECIFIC_FEEDBACK && (count === PICTURE_LOSS || count === FULL_INTRA_REQUEST))
      feedback.keyFrame = true;
    if (type === RECEIVER_REPORT && count > 0 && length >= REPORT_HEADER_BYTES + REPORT_BLOCK_BYTES)
      feedback.report = readReport(view, at + REPORT_HEADER_BYTES);
    at += length;
  }
  return feedback;
}

function readReport(view: DataView, at: number): ReceiverReport {
  return { lost: view.getUint8(at + 4) / 256, highestSequence: view.getUint32(at + 8) };
}
