import type { SavesOutcome } from "./run.ts";

export const reportOf = ({ kills, became, wrong, stored, referred, left }: SavesOutcome): string[] => [
  `killed: ${listOf(kills)}`,
  `saves, by how far they were at the kill and what the image is: ${listOf(became)}`,
  `the store holds ${stored} layers, of which rows refer to ${referred}`,
  ...wrong.map((line) => `WRONG: ${line}`),
  ...left.map((line) => `LEFT: ${line}`),
];

/** Of several products, run side by side. */
export const sumOf = (outcomes: readonly SavesOutcome[]): SavesOutcome => ({
  kills: sumCounts(outcomes.map(({ kills }) => kills)),
  became: sumCounts(outcomes.map(({ became }) => became)),
  wrong: outcomes.flatMap(({ wrong }) => wrong),
  stored: outcomes.reduce((sum, { stored }) => sum + stored, 0),
  referred: outcomes.reduce((sum, { referred }) => sum + referred, 0),
  left: outcomes.flatMap(({ left }) => left),
});

function sumCounts(all: readonly Record<string, number>[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const [name, count] of all.flatMap((counts) => Object.entries(counts))) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}

const listOf = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, count]) => `${name}: ${count}`)
    .join("; ");
