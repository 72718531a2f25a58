/** 2026-03-05 14:02:09, of the world's clock and not the reader's. */
export const utcTime = (time: string): string => time.slice(0, 19).replace("T", " ");

const steps = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
  ["s", 1],
] as const;

/** How long something lasted, in its two largest units: "1 h 30 min", "7 d". */
export function durationWords(seconds: number): string {
  const first = steps.findIndex(([, size]) => seconds >= size);
  if (first === -1) return "0 s";
  const parts = steps.slice(first, first + 2).map(([unit, size], index) => {
    const above = index === 0 ? Infinity : (steps[first]?.[1] ?? Infinity);
    return [Math.floor((seconds % above) / size), unit] as const;
  });
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(" ");
}
