import { describe, expect, it } from "vitest";
import { latencyMark, latencyMarkPlace, readLatencyMark } from "./latency-mark.ts";

/** Paints a mark into grey pixels, `blur` of each block's brightness lost, as video does. */
function picture(k: number, width: number, height: number, blur = 0): Uint8ClampedArray {
  const pixels = new Uint8ClampedArray(width * height * 4).fill(128);
  const { x, y, size } = latencyMarkPlace(width, height);
  const blocks = latencyMark(k);
  for (let py = 0; py < size; py++) {
    for (let px = 0; px < size; px++) {
      const white = blocks[Math.floor((py * 8) / size) * 8 + Math.floor((px * 8) / size)];
      pixels.fill(white ? 255 - blur : blur, ((y + py) * width + x + px) * 4, ((y + py) * width + x + px) * 4 + 4);
    }
  }
  return pixels;
}

describe("the latency mark", () => {
  it("writes 64 blocks: corners, check, bits, the bits turned over", () => {
    const text = latencyMark(0x010203)
      .map((white) => (white ? "W" : "B"))
      .join("");
    expect(text.match(/.{8}/g)).toEqual([
      "WBBBWWBB", // corner, check 1 + 2 + 3 = 6, corner
      "BBBBBBBW", // 01
      "BBBBBBWB", // 02
      "BBBBBBWW", // 03
      "WWWWWWWB", // 01 turned over
      "WWWWWWBW",
      "WWWWWWBB",
      "BWWWBBWW", // corner, check turned over, corner
    ]);
  });

  it("reads back from frames of any size, also when they are pale", () => {
    for (const k of [0, 1, 2, 255, 256, 300, 65_535, 1_000_000, 16_777_215]) {
      expect(readLatencyMark(picture(k, 720, 1280, 70), 720, 1280)).toBe(k);
      expect(readLatencyMark(picture(k, 480, 216), 480, 216)).toBe(k);
    }
  });

  it("reads nothing where one block is wrong", () => {
    const pixels = picture(77, 720, 1280);
    const { x, y, size } = latencyMarkPlace(720, 1280);
    const block = size / 8;
    for (let py = 0; py < block; py++) {
      pixels.fill(255, ((y + block * 2 + py) * 720 + x) * 4, ((y + block * 2 + py) * 720 + x + block) * 4);
    }
    expect(readLatencyMark(pixels, 720, 1280)).toBeUndefined();
  });
});
