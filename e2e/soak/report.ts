import type { Outcome } from "./run.ts";
import { descriptorsLeft, devicesAstray, type Growth, growthsOf, restartsOf } from "./verdict.ts";

/** Of what is listed. */
const MAX_LINES = 20;
const MEGABYTE = 1024 ** 2;

/** What does not hold, by what should; each a list of lines. */
export function verdictOf({ before, samples, after, facts, rows, fleet, errors }: Outcome): Record<string, string[]> {
  return {
    failures: after.tally.failures,
    "devices in a wrong state": [...devicesAstray(fleet, facts), ...Object.values(rows).flat()],
    "processes that ended": restartsOf(before, after),
    "descriptors left open": descriptorsLeft(before, after),
    "memory that grows": growthsOf(samples)
      .filter(({ isTooMuch }) => isTooMuch)
      .map(growthText),
    "errors logged": errors,
  };
}

/** The end of the report, below the table. */
export function reportOf(outcome: Outcome): string[] {
  const { tally } = outcome.after;
  const firstPictures = tally.firstPictureMs.toSorted((a, b) => a - b);
  const firstAt = (share: number) => firstPictures[Math.floor(share * (firstPictures.length - 1))]?.toFixed(0);
  return [
    `viewers: ${tally.viewers}, of whom ${firstPictures.length} of ${tally.watchers} got a picture; the device of ${tally.cutShort} was stopped, and ${tally.comebacks} tried again`,
    `first picture (ms): p50 ${firstAt(0.5)}, p95 ${firstAt(0.95)}, p99 ${firstAt(0.99)}, worst ${firstAt(1)}`,
    `taps: ${tally.taps}, of which ${tally.lostTaps} changed no picture; adb sessions: ${tally.adbSessions}`,
    `refused: ${JSON.stringify(tally.refused)}`,
    row(GROWTH_COLUMNS),
    ...growthsOf(outcome.samples).map(growthText),
    ...Object.entries(verdictOf(outcome)).flatMap(([name, lines]) => [
      `${name}: ${lines.length}`,
      ...lines.slice(0, MAX_LINES).map((line) => `  ${line}`),
    ]),
  ];
}

const GROWTH_COLUMNS = ["memory in MB", "second quarter", "last quarter", "for 1000 viewers", "for 1000 starts"];

/** A line of the table of memory: the part, then figures. */
const row = ([name = "", ...figures]: string[]) =>
  name.padEnd(16) + figures.map((figure) => figure.padStart(18)).join("");

const growthText = ({ part, kind, from, to, perThousandViewers, perThousandStarts }: Growth): string =>
  row([
    kind === "heap" ? `  ${part}'s heap` : part,
    ...[from, to, perThousandViewers, perThousandStarts].map((bytes) => (bytes / MEGABYTE).toFixed(1)),
  ]);
