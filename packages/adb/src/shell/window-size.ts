import type { WindowSize } from "../daemon/device-services.ts";

/** `rows x columns , width x height` and a NUL, as adb's client prints it. */
export function encodeWindowSize({ rows, columns, widthPx, heightPx }: WindowSize): Uint8Array {
  return new TextEncoder().encode(`${rows}x${columns},${widthPx}x${heightPx}\0`);
}

/** Undefined when it is not a window size. */
export function decodeWindowSize(data: Uint8Array): WindowSize | undefined {
  const match = /^(\d{1,5})x(\d{1,5}),(\d{1,5})x(\d{1,5})/.exec(new TextDecoder().decode(data));
  if (!match) return undefined;
  const [rows = 0, columns = 0, widthPx = 0, heightPx = 0] = match.slice(1).map(Number);
  return { rows, columns, widthPx, heightPx };
}
