import type { ByteStream } from "@terrarium/adb";
import type { SimulatedDevice } from "../device/simulated-device.ts";

/** Android 9 added the colour space to the header, and with it a version. */
const COLOUR_SPACE_SINCE = 28;
const UNKNOWN_COLOUR_SPACE = 0;
/** Red, blue, green and alpha, in the order of the header. */
const channels = [0, 16, 8, 24].map((offset) => ({ offset, bits: 8 }));

/**
 * Answers `framebuffer:`: a header, then the pixels of the screen as it is now (AOSP, daemon/framebuffer_service.cpp).
 *
 *   u32 little-endian: version (1, or 2 with a colour space), bits per pixel, [colour space,] bytes, width, height,
 *   then offset and length in bits of red, blue, green and alpha
 */
export async function serveFramebuffer(stream: ByteStream, device: SimulatedDevice): Promise<void> {
  const { width, height, pixels } = device.display.capture();
  const withColourSpace = device.spec.image.sdkVersion >= COLOUR_SPACE_SINCE;
  const header = [
    withColourSpace ? 2 : 1,
    32,
    ...(withColourSpace ? [UNKNOWN_COLOUR_SPACE] : []),
    width * height * 4,
    width,
    height,
    ...channels.flatMap(({ offset, bits }) => [offset, bits]),
  ];
  const bytes = Buffer.alloc(header.length * 4);
  for (const [index, value] of header.entries()) bytes.writeUInt32LE(value, index * 4);
  await stream.write(bytes);
  await stream.write(pixels);
  await stream.end();
}
