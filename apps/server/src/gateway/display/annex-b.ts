const SPS = 7;
const PPS = 8;
const ACCESS_UNIT_DELIMITER = 9;
const START_CODE = Buffer.from([0, 0, 1]);
/** The most units of one access unit that are separated: encoders make a few. */
const MAX_UNITS = 1_000;
/** Of a parameter set, which is a few dozen bytes; files have 16 bits for it. */
const MAX_PARAMETER_BYTES = 0xffff;

/** What a decoder needs to know before it can start. */
export interface Parameters {
  sps: Buffer;
  pps: Buffer;
}

/** Whether an Annex B access unit starts with a sequence parameter set, so that a decoder can start there. */
export function beginsWithParameters(data: Uint8Array): boolean {
  const first = nalTypeAt(data, 0);
  if (first?.type !== ACCESS_UNIT_DELIMITER) return first?.type === SPS;
  // A delimiter is two bytes long.
  return nalTypeAt(data, first.at + 2)?.type === SPS;
}

/** The units of an Annex B access unit, without start codes and the zeros before them. What is more than 1,000 stays in the last one. */
export function nalUnitsOf(data: Uint8Array): Buffer[] {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const units: Buffer[] = [];
  let codes = 0;
  for (let code = bytes.indexOf(START_CODE); code !== -1;) {
    const from = code + START_CODE.length;
    code = ++codes < MAX_UNITS ? bytes.indexOf(START_CODE, from) : -1;
    let end = code === -1 ? bytes.length : code;
    while (end > from && bytes[end - 1] === 0) end--;
    if (end > from) units.push(bytes.subarray(from, end));
  }
  return units;
}

/** The first parameter sets among these units; undefined unless both are there and can be ones. */
export function parametersIn(units: readonly Buffer[]): Parameters | undefined {
  const first = (wanted: number) => units.find((unit) => (unit[0]! & 0x1f) === wanted);
  const [sps, pps] = [first(SPS), first(PPS)];
  // Three bytes of it say which decoder is needed.
  if (!sps || !pps || sps.length < 4) return undefined;
  return Math.max(sps.length, pps.length) <= MAX_PARAMETER_BYTES ? { sps, pps } : undefined;
}

/** The unit whose start code is at `at`: `00 00 01` or `00 00 00 01`. */
function nalTypeAt(data: Uint8Array, at: number): { type: number; at: number } | undefined {
  if (data[at] !== 0 || data[at + 1] !== 0) return undefined;
  const start = data[at + 2] === 1 ? at + 3 : data[at + 2] === 0 && data[at + 3] === 1 ? at + 4 : undefined;
  const header = start === undefined ? undefined : data[start];
  return start === undefined || header === undefined ? undefined : { type: header & 0x1f, at: start };
}
