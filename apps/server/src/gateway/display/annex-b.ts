const SPS = 7;
const ACCESS_UNIT_DELIMITER = 9;

/** Whether an Annex B access unit starts with a sequence parameter set, so that a decoder can start there. */
export function beginsWithParameters(data: Uint8Array): boolean {
  const first = nalTypeAt(data, 0);
  if (first?.type !== ACCESS_UNIT_DELIMITER) return first?.type === SPS;
  // A delimiter is two bytes long.
  return nalTypeAt(data, first.at + 2)?.type === SPS;
}

/** The unit whose start code is at `at`: `00 00 01` or `00 00 00 01`. */
function nalTypeAt(data: Uint8Array, at: number): { type: number; at: number } | undefined {
  if (data[at] !== 0 || data[at + 1] !== 0) return undefined;
  const start = data[at + 2] === 1 ? at + 3 : data[at + 2] === 0 && data[at + 3] === 1 ? at + 4 : undefined;
  const header = start === undefined ? undefined : data[start];
  return start === undefined || header === undefined ? undefined : { type: header & 0x1f, at: start };
}
