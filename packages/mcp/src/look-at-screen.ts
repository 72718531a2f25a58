import { type AdbLink, dumpUi } from "@terrarium/adb";
import { parseUiXml } from "@terrarium/contract";
import { text } from "node:stream/consumers";
import { type Element, elementsOf } from "./elements.ts";

const MAX_PICTURE_BYTES = 32 * 1024 * 1024;
const MAX_PIXELS = 16 * 1024 * 1024;
const PNG_SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");

export interface Screen {
  png: Buffer;
  width: number;
  height: number;
  elements: Element[];
  /** Why the elements are not known, if so: Android lists none of a screen that moves all the time. */
  problem: string | undefined;
}

/**
 * What is on the screen of a device.
 * @throws Error in the device's words if it gives no picture
 */
export async function lookAtScreen(link: AdbLink, signal: AbortSignal): Promise<Screen> {
  const capture = await link.spawn("screencap -p", { signal });
  const [png, words] = await Promise.all([bytesOf(capture.stdout), text(capture.stderr)]);
  if ((await capture.exit) !== 0) throw new Error(`The device gives no picture: ${words.trim()}`);
  const { width, height } = sizeOf(png);
  const { elements, problem } = await elementsOn(link, { width, height }, signal);
  return { png, width, height, elements, problem };
}

async function elementsOn(link: AdbLink, size: { width: number; height: number }, signal: AbortSignal) {
  const { xml, said } = await dumpUi(link, "terrarium-mcp-ui", { signal });
  if (xml === undefined) return { elements: [], problem: said.trim().slice(0, 300) };
  return { elements: elementsOf(parseUiXml(xml).root, size), problem: undefined };
}

async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size > MAX_PICTURE_BYTES) throw new Error("The device's picture has no end.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** By its header, before anything is unpacked: an app on the device may have made it. */
export function sizeOf(png: Buffer): { width: number; height: number } {
  if (png.length < 33 || !png.subarray(0, 8).equals(PNG_SIGNATURE)) throw new Error("The device gives no picture.");
  const [width, height, interlace] = [png.readUInt32BE(16), png.readUInt32BE(20), png[28]];
  if (width === 0 || height === 0 || width * height > MAX_PIXELS || interlace !== 0)
    throw new Error(`The device's picture, ${width} x ${height}, cannot be shown.`);
  return { width, height };
}
