import { AdbError } from "../errors.ts";

/** Reads a source to its end. Throws `AdbError` `TOO_LARGE` before it holds more than `maxBytes`. */
export async function readAll(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of source) {
    length += part.length;
    if (length > maxBytes) throw new AdbError("TOO_LARGE", `the device answers more than ${maxBytes} bytes`);
    parts.push(part);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
