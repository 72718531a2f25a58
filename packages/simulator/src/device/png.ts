import { crc32, deflate } from "node:zlib";
import { promisify } from "node:util";

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Fast: a screen has large plain areas, and whoever asks waits. */
const LEVEL = 2;
const compress = promisify<Uint8Array, { level: number }, Buffer>(deflate);

/** A picture of RGBA pixels as an opaque PNG (8-bit RGB, no filter). */
export async function encodePng({
  width,
  height,
  pixels,
}: {
  width: number;
  height: number;
  pixels: Uint8Array;
}): Promise<Uint8Array> {
  const rows = new Uint8Array((width * 3 + 1) * height);
  for (let y = 0, to = 0, from = 0; y < height; y++) {
    rows[to++] = 0;
    for (let x = 0; x < width; x++, from += 4) {
      rows[to++] = pixels[from]!;
      rows[to++] = pixels[from + 1]!;
      rows[to++] = pixels[from + 2]!;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from(SIGNATURE),
    part("IHDR", header),
    part("IDAT", await compress(rows, { level: LEVEL })),
    part("IEND", Buffer.alloc(0)),
  ]);
}

function part(type: string, data: Buffer): Buffer {
  const out = Buffer.alloc(12 + data.length);
  out.writeUInt32BE(data.length, 0);
  out.write(type, 4, "latin1");
  out.set(data, 8);
  out.writeUInt32BE(crc32(out.subarray(4, 8 + data.length)), 8 + data.length);
  return out;
}
