/** The percentile of figures by the nearest-rank method; `share` is from 0 to 1. */
export function percentile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** The 50th, 95th and 99th percentile and the number of figures: `p50 38  p95 52  p99 60  (200)` */
export function spread(figures: readonly number[], digits = 0): string {
  const parts = ([0.5, 0.95, 0.99] as const).map(
    (share) => `p${share * 100} ${percentile(figures, share).toFixed(digits)}`,
  );
  return `${parts.join("  ")}  (${figures.length})`;
}

export function print(label: string, value: string): void {
  console.log(`  ${label.padEnd(46)} ${value}`);
}

export const megabytes = (bytes: number, digits = 0): string => `${(bytes / 1024 / 1024).toFixed(digits)} MB`;
