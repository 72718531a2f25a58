import { afterEach, describe, expect, it } from "vitest";
import { colourAt, type DecodedPicture, H264Decoder } from "./testing/h264-decoder.ts";
import type { Area } from "./area.ts";
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

  // The last is as high as no strip or block of an encoder is.
  for (const [height, area] of [
    [640, { x: 100, y: 200, width: 33, height: 17 }],
    [640, { x: 0, y: 0, width: 360, height: 640 }],
    [632, { x: 350, y: 625, width: 10, height: 7 }],
  ] as const)
    it(`shows what has changed within ${JSON.stringify(area)}, and takes the rest over unseen`, () => {
      decoder = new H264Decoder();
      const [red, green, blue] = bands;
      const size = { sourceWidth: 360, sourceHeight: height, width: 360, height };
      const encoder = new H264Encoder({ ...size, bitRate: 8_000_000, fps: 60 });
      const pixels = new Uint8Array(360 * height * 4);
      const fill = (colour: readonly number[], { x, y, width, height: rows }: Area) => {
        for (let row = y; row < y + rows; row++)
          for (let at = x; at < x + width; at++) pixels.set([...colour, 255], (row * 360 + at) * 4);
      };
      let ptsUs = 0n;
      const show = (options: { keyFrame?: boolean; still?: boolean; changed?: Area[] }): DecodedPicture => {
        const { config, data } = encoder.encode(pixels, { keyFrame: false, ...options, ptsUs: ptsUs++ });
        if (config) decoder.config(config);
        return decoder.decode(data);
      };
      // In the same strip, but in another macroblock.
      const unseen = { x: 8, y: area.y, width: 16, height: Math.min(16, area.height) };
      const isWhole = area.width === 360;
      const [middleX, middleY] = [area.x + Math.floor(area.width / 2), area.y + Math.floor(area.height / 2)];
      const [lastX, lastY] = [area.x + area.width - 1, area.y + area.height - 1];
      const expectSeen = (picture: DecodedPicture, beside: readonly number[], what: string) => {
        const near = (x: number, y: number, wanted: readonly number[]) => {
          for (const [at, value] of colourAt(picture, x, y).entries())
            expect(Math.abs(value - wanted[at]!), `${what}, ${x},${y}`).toBeLessThan(40);
        };
        near(middleX, middleY, green);
        // One further in: the resolution of colours is halved.
        for (const x of [area.x + 1, lastX - 1]) near(x, middleY, green);
        for (const y of [area.y + 1, lastY - 1]) near(middleX, y, green);
        near(16, area.y + 3, isWhole ? green : beside);
      };
      fill(red, { x: 0, y: 0, width: 360, height });
      show({ keyFrame: true });
      // Blocks are taken over unseen once they refer to the key frame.
      show({});
      fill(green, area);
      if (!isWhole) fill(blue, unseen);
      expectSeen(show({ changed: [area] }), red, "the area");
      // Elsewhere too it is as it was converted with the area, which was the whole strip.
      expectSeen(show({ still: true, changed: [] }), blue, "still");
      expectSeen(show({ keyFrame: true, changed: [] }), blue, "a key frame");
      expectSeen(show({}), blue, "everything");
      // The area of a wider picture, of which nothing is left.
      expectSeen(show({ changed: [{ x: 400, y: 0, width: 8, height: 8 }] }), blue, "outside");
      encoder.close();
    });

  it("mixes the colours of neighbouring rows once nothing moves, also of what has not changed since", () => {
    decoder = new H264Decoder();
    const size = { sourceWidth: 64, sourceHeight: 64, width: 64, height: 64 };
    const encoder = new H264Encoder({ ...size, bitRate: 8_000_000, fps: 60 });
    const pixels = new Uint8Array(64 * 64 * 4);
    for (let at = 0; at < 64 * 64; at++) pixels.set(at % 128 < 64 ? [255, 0, 0, 255] : [0, 0, 255, 255], at * 4);
    /** How far red and blue are apart in the middle. */
    const redness = (options: { keyFrame: boolean; still?: boolean; changed?: Area[] }, ptsUs: bigint) => {
      const { config, data } = encoder.encode(pixels, { ...options, ptsUs });
      if (config) decoder.config(config);
      const [red, , blue] = colourAt(decoder.decode(data), 32, 32);
      return Math.abs(red - blue);
    };
    expect(redness({ keyFrame: true }, 0n)).toBeGreaterThan(100);
    expect(redness({ keyFrame: false, still: true, changed: [] }, 1n)).toBeLessThan(30);
    encoder.close();
  });

  it.each([
    ["as large as it is", { width: 360, height: 640 }],
    ["made smaller", { width: 180, height: 320 }],
  ])(
    "has V8 count none of its memory anew with each picture %s, or garbage would be collected all the time",
    (_, to) => {
      decoder = new H264Decoder();
      const size = { sourceWidth: 360, sourceHeight: 640, ...to };
      const encoder = new H264Encoder({ ...size, bitRate: 8_000_000, fps: 60 });
      const pixels = new Uint8Array(360 * 640 * 4);
      const before = process.memoryUsage().external;
      for (let count = 0n; count < 20n; count++) encoder.encode(pixels, { ptsUs: count, keyFrame: false });
      expect(process.memoryUsage().external - before).toBeLessThan(to.width * to.height);
      encoder.close();
    },
  );
});
