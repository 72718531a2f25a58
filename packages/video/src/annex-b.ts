import type { EncodedPicture } from "./h264-encoder.ts";

/** H.264 NAL unit types (ITU-T H.264, table 7-1). */
const IDR = 5;
const SEI = 6;
const SPS = 7;
const PPS = 8;

/** Where each NAL unit begins, its start code of three or four bytes included, and what type it is. */
function units(bytes: Uint8Array): { from: number; type: number }[] {
  const found: { from: number; type: number }[] = [];
  for (let at = 0; at + 3 < bytes.length; at++) {
    if (bytes[at] !== 0 || bytes[at + 1] !== 0 || bytes[at + 2] !== 1) continue;
    const from = at > 0 && bytes[at - 1] === 0 ? at - 1 : at;
    found.push({ from, type: bytes[at + 3]! & 0x1f });
    at += 3;
    // The picture is the last unit and has most of the bytes: it need not be searched.
    const type = found.at(-1)!.type;
    if (type === IDR || type === 1) break;
  }
  return found;
}

/** Splits an access unit into headers (SPS, PPS) and picture. x264's SEI about itself is dropped. */
export function splitAccessUnit(bytes: Uint8Array): EncodedPicture {
  const found = units(bytes);
  const part = (index: number) => bytes.subarray(found[index]!.from, found[index + 1]?.from);
  const indices = [...found.keys()];
  const join = (wanted: number[]) => Buffer.concat(wanted.map(part));
  const headers = indices.filter((index) => found[index]!.type === SPS || found[index]!.type === PPS);
  const picture = indices.filter((index) => !headers.includes(index) && found[index]!.type !== SEI);
  return {
    keyFrame: found.some(({ type }) => type === IDR),
    config: headers.length > 0 ? join(headers) : undefined,
    data: join(picture),
  };
}
