import { partNames, type PartSample, type Sample } from "./sample.ts";

interface Column<Of> {
  name: string;
  width: number;
  text: (of: Of) => string;
}

const MEGABYTE = 1024 ** 2;
const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, count) => total + count, 0);

const partColumns: readonly Column<PartSample>[] = [
  { name: "MB", width: 5, text: ({ bytes }) => (bytes / MEGABYTE).toFixed(0) },
  {
    name: "heap",
    width: 5,
    text: ({ heapBytes }) => (heapBytes === undefined ? "-" : (heapBytes / MEGABYTE).toFixed(1)),
  },
  { name: "fds", width: 4, text: ({ descriptors }) => String(descriptors) },
  { name: "thr", width: 4, text: ({ threads }) => String(threads) },
  { name: "cpu%", width: 5, text: ({ cpuShare }) => (cpuShare * 100).toFixed(0) },
  { name: "late", width: 5, text: ({ loopDelayMs }) => loopDelayMs?.toFixed(0) ?? "-" },
];

const visitColumns: readonly Column<Sample>[] = [
  { name: "starts", width: 7, text: ({ tally }) => String(tally.starts) },
  { name: "viewers", width: 8, text: ({ tally }) => String(tally.viewers) },
  { name: "frames", width: 7, text: ({ tally }) => String(tally.frames) },
  { name: "taps", width: 6, text: ({ tally }) => String(tally.taps) },
  { name: "lost", width: 5, text: ({ tally }) => String(tally.lostTaps) },
  { name: "refused", width: 8, text: ({ tally }) => String(sum(tally.refused)) },
  { name: "failed", width: 7, text: ({ tally }) => String(tally.failures.length) },
  { name: "slowest", width: 8, text: ({ tally }) => tally.slowestMs.toFixed(0) },
];

const MINUTES = 8;
const BAR = " |";

const headOf = <Of>(columns: readonly Column<Of>[]) => columns.map(({ name, width }) => name.padStart(width)).join("");
const lineOf = <Of>(columns: readonly Column<Of>[], of: Of) =>
  columns.map(({ text, width }) => text(of).padStart(width)).join("");

/** What the columns are, and their names. `late` is the longest delay of the event loop in ms, `slowest` the slowest answer of the API. */
export const tableHead = (): string[] => [
  "".padStart(MINUTES) + partNames.map((name) => ` ${name}`.padEnd(headOf(partColumns).length) + BAR).join(""),
  "minutes".padStart(MINUTES) + partNames.map(() => headOf(partColumns) + BAR).join("") + headOf(visitColumns),
];

export const tableLine = (sample: Sample): string =>
  (sample.seconds / 60).toFixed(1).padStart(MINUTES) +
  partNames.map((part) => lineOf(partColumns, sample.parts[part]) + BAR).join("") +
  lineOf(visitColumns, sample);
