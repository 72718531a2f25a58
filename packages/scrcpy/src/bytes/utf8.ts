const encoder = new TextEncoder();

/** Encodes `text` as UTF-8, cut at a character boundary after at most `maxBytes`, as scrcpy itself does. */
export function utf8Within(text: string, maxBytes: number): Uint8Array {
  const bytes = encoder.encode(text);
  if (bytes.length <= maxBytes) return bytes;
  let end = maxBytes;
  while (end > 0 && isContinuation(bytes[end])) end--;
  return bytes.subarray(0, end);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
