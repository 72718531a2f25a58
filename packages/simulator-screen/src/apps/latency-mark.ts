/** Blocks along one side of the mark. */
const SIDE = 8;
/** Bits of the number that are shown. */
const BITS = 24;
const MODULUS = 2 ** BITS;

/** Where the mark lies on a screen, in pixels: the largest square of a multiple of 8 in the middle, at most half the shorter side. */
export function latencyMarkPlace(width: number, height: number): { x: number; y: number; size: number } {
  const size = Math.floor((Math.min(width, height) * 0.5) / SIDE) * SIDE;
  return { x: Math.floor((width - size) / 2), y: Math.floor((height - size) / 2), size };
}

/**
 * The 64 blocks that stand for `k`, row by row from the top left; true is white.
 *
 * ```
 *   col 0 1 2 3 4 5 6 7
 * row 0 W p p p p p p B     corners: white, black / black, white: they distinguish the mark from a plain picture
 * row 1 b b b b b b b b     rows 1-3: the 24 bits of k, highest first
 * row 2 b b b b b b b b
 * row 3 b b b b b b b b
 * row 4 n n n n n n n n     rows 4-6: the same bits turned over, so that every mark is half white
 * row 5 n n n n n n n n
 * row 6 n n n n n n n n
 * row 7 B q q q q q q W     p: the sum of the three bytes of k modulo 64; q: the same turned over
 * ```
 */
export function latencyMark(k: number): boolean[] {
  const value = ((k % MODULUS) + MODULUS) % MODULUS;
  const bits = Array.from({ length: BITS }, (_, i) => Math.floor(value / 2 ** (BITS - 1 - i)) % 2 === 1);
  const sum = checksum(value);
  const check = Array.from({ length: 6 }, (_, i) => ((sum >> (5 - i)) & 1) === 1);
  const not = (row: boolean[]) => row.map((bit) => !bit);
  return [true, ...check, false, ...bits, ...not(bits), false, ...not(check), true];
}

const checksum = (value: number): number => ((value & 255) + ((value >> 8) & 255) + ((value >> 16) & 255)) % 64;

/**
 * Reads the mark out of RGBA pixels of a whole screen of any scale, as a page has them from a video frame.
 * Returns undefined if a corner, a bit or the checksum is wrong.
 */
export function readLatencyMark(
  pixels: Uint8Array | Uint8ClampedArray,
  width: number,
  height: number,
): number | undefined {
  const { x, y, size } = latencyMarkPlace(width, height);
  const block = size / SIDE;
  const seen = Array.from({ length: SIDE * SIDE }, (_, i) => {
    const px = Math.floor(x + ((i % SIDE) + 0.5) * block);
    const py = Math.floor(y + (Math.floor(i / SIDE) + 0.5) * block);
    return (pixels[(py * width + px) * 4 + 1] ?? 0) > 127;
  });
  const value = seen.slice(SIDE, SIDE + BITS).reduce((sum, bit) => sum * 2 + (bit ? 1 : 0), 0);
  return latencyMark(value).every((bit, i) => bit === seen[i]) ? value : undefined;
}
