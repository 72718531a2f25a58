import { endedStates } from "@terrarium/contract";
import type { Acknowledged, Facts } from "../support/rows-verdict.ts";
import { type Part, partNames, type Sample } from "./sample.ts";

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

/** The parts that are another process than before, a line for each. */
export function restartsOf(before: Sample, after: Sample): string[] {
  return partNames.flatMap((part) => {
    const [then, now] = [before.parts[part].pid, after.parts[part].pid];
    return then === now ? [] : [`${part}: process ${then} before, ${now} after`];
  });
}

/** How the memory of a part has grown from the second quarter of the time to the last. */
export interface Growth {
  part: Part;
  kind: "memory" | "heap";
  /** The least in the second quarter, and in the last: what is not garbage that happens not to be collected yet. */
  from: number;
  to: number;
  perThousandViewers: number;
  perThousandStarts: number;
  isTooMuch: boolean;
}

/** The first quarter does not count, in which caches fill up. */
export function growthsOf(samples: readonly Sample[]): Growth[] {
  const quarter = Math.ceil(samples.length / 4);
  const second = samples.slice(quarter, 2 * quarter);
  const last = samples.slice(-quarter);
  const count = (name: "viewers" | "starts") => (last.at(-1)?.tally[name] ?? 0) - (second.at(-1)?.tally[name] ?? 0);
  const growthOf = (part: Part, kind: Growth["kind"]): Growth[] => {
    const least = (some: readonly Sample[]) =>
      Math.min(...some.flatMap(({ parts }) => parts[part][kind === "heap" ? "heapBytes" : "bytes"] ?? []));
    const [from, to] = [least(second), least(last)];
    if (!Number.isFinite(to - from)) return [];
    const per = (divisor: number) => ((to - from) / Math.max(1, divisor)) * 1000;
    return [
      {
        part,
        kind,
        from,
        to,
        perThousandViewers: per(count("viewers")),
        perThousandStarts: per(count("starts")),
        isTooMuch: to - from > (kind === "heap" ? SPARE_HEAP_BYTES : SPARE_BYTES),
      },
    ];
  };
  return partNames.flatMap((part) => [...growthOf(part, "memory"), ...growthOf(part, "heap")]);
}

/** Devices that are neither online nor were stopped by us, a line for each. */
export function devicesAstray({ stopped }: Pick<Acknowledged, "stopped">, { rows }: Facts): string[] {
  return rows.flatMap(({ uuid, state }) => {
    const isRight = stopped.has(uuid) ? endedStates.includes(state) : state === "ONLINE";
    return isRight ? [] : [`${uuid} is ${state}, and was ${stopped.has(uuid) ? "stopped" : "never stopped"}`];
  });
}
