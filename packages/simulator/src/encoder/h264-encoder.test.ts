import { afterEach, describe, expect, it } from "vitest";
import { colourAt, H264Decoder } from "../testing/h264-decoder.ts";
import { H264Encoder } from "./h264-encoder.ts";

const bands = [
  [220, 40, 40],
  [40, 180, 60],
  [40, 80, 220],
  [230, 230, 230],
] as const;
/** As high as a band: what one picture of colours cannot hide is a row that was taken for another. */
const BAND_ROWS = 4;

/** Rows of plain colours, another every four. */
function stripes(width: number, height: number): Uint8Array {
  const pixels = new Uint8Array(width * height * 4);
  for (let at = 0; at < width * height; at++) {
    const [red, green, blue] = bands[Math.floor(at / width / BAND_ROWS) % bands.length]!;
    pixels.set([red, green, blue, 255], at * 4);
  }
  return pixels;
}

let decoder: H264Decoder;
afterEach(() => decoder.close());

describe("H264Encoder", () => {
  for (const [width, height] of [
    [64, 128],
    [64, 24],
    [360, 640],
  ] as const)
    it(`shows each row of ${width} by ${height} where it was, to the last`, () => {
      decoder = new H264Decoder();
      const size = { sourceWidth: width, sourceHeight: height, width, height };
      const encoder = new H264Encoder({ ...size, bitRate: 8_000_000, fps: 30 });
      const { config, data } = encoder.encode(stripes(width, height), { ptsUs: 0n, keyFrame: true, still: true });
      encoder.close();
      if (config) decoder.config(config);
      const picture = decoder.decode(data);
      for (let y = 1; y < height; y += BAND_ROWS) {
        const wanted = bands[Math.floor(y / BAND_ROWS) % bands.length]!;
        const seen = colourAt(picture, width / 2, y);
        for (const [at, value] of seen.entries()) expect(Math.abs(value - wanted[at]!), `row ${y}`).toBeLessThan(24);
      }
    });
});
