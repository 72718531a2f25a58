/** `1:02.3`, of milliseconds since the beginning. */
export function sayTime(ms: number): string {
  const tenths = Math.floor(Math.max(0, ms) / 100);
  const seconds = ((tenths % 600) / 10).toFixed(1).padStart(4, "0");
  return `${Math.floor(tenths / 600)}:${seconds}`;
}
