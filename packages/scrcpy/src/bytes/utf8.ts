const encoder = new TextEncoder();

/** The UTF-8 bytes of `text`, cut between two characters when they are more than `maxBytes`, as scrcpy itself cuts them. */
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
