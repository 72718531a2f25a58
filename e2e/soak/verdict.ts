import { endedStates } from "@terrarium/contract";
import type { Acknowledged, Facts } from "../support/rows-verdict.ts";
import { type Part, partNames, type PartSample, type Sample } from "./sample.ts";

/** What a process may have open more than before: connections of pools, and files that are open for a moment. */
const SPARE_DESCRIPTORS = 10;
const MEGABYTE = 1024 ** 2;
/** What is not a leak: caches that fill up, and memory that the allocator keeps. */
const SPARE_HEAP_BYTES = 12 * MEGABYTE;
const SPARE_BYTES = 100 * MEGABYTE;

/** Whether no part has more descriptors open than before, when nobody visits. */
export const areDescriptorsLevel = (before: Sample, after: Sample): boolean =>
  descriptorsLeft(before, after).length === 0;

/** The parts that have more descriptors open than before, a line for each. */
export function descriptorsLeft(before: Sample, after: Sample): string[] {
  return partNames.flatMap((part) => {
    const [then, now] = [before.parts[part], after.parts[part]];
    return now.descriptors > then.descriptors + SPARE_DESCRIPTORS * then.processes
      ? [`${part}: ${then.descriptors} descriptors before, ${now.descriptors} after`]
      : [];
  });
}

/** How the memory of a part has grown between two samples. */
export interface Growth {
  part: Part;
  kind: "memory" | "heap";
  from: number;
  to: number;
  perThousandViewers: number;
  perThousandStarts: number;
  isTooMuch: boolean;
}

export function growthsOf(first: Sample, last: Sample): Growth[] {
  const viewers = last.tally.viewers - first.tally.viewers;
  const starts = last.tally.starts - first.tally.starts;
  const growthOf = (part: Part, kind: Growth["kind"], bytes: (sample: PartSample) => number | undefined): Growth[] => {
    const [from, to] = [bytes(first.parts[part]), bytes(last.parts[part])];
    if (from === undefined || to === undefined) return [];
    const by = to - from;
    const isTooMuch = by > (kind === "heap" ? SPARE_HEAP_BYTES : SPARE_BYTES);
    const per = (count: number) => (by / Math.max(1, count)) * 1000;
    return [{ part, kind, from, to, perThousandViewers: per(viewers), perThousandStarts: per(starts), isTooMuch }];
  };
  return partNames.flatMap((part) => [
    ...growthOf(part, "memory", ({ bytes }) => bytes),
    ...growthOf(part, "heap", ({ heapBytes }) => heapBytes),
  ]);
}

/** Devices that are neither online nor were stopped by us, a line for each. */
export function devicesAstray({ stopped }: Pick<Acknowledged, "stopped">, { rows }: Facts): string[] {
  return rows.flatMap(({ uuid, state }) => {
    const isRight = stopped.has(uuid) ? endedStates.includes(state) : state === "ONLINE";
    return isRight ? [] : [`${uuid} is ${state}, and was ${stopped.has(uuid) ? "stopped" : "never stopped"}`];
  });
}
