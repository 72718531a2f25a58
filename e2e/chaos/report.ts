import type { Usage } from "../support/processes.ts";
import type { Outcome } from "./run.ts";

/** The outcome as lines to read. */
export function reportOf({ acknowledged, counts, verdict, left, states, before, after }: Outcome): string[] {
  const { started, stopped, replies, retries, refused, slowestMs } = acknowledged;
  const table = Object.entries({ started: started.size, stopped: stopped.size, replies, retries, ...counts });
  const roles = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof typeof before)[];
  return [
    `did: ${table.map(([name, count]) => `${count} ${name}`).join(", ")}`,
    `refused: ${JSON.stringify(refused)}`,
    `devices at the end: ${JSON.stringify(states)}`,
    `slowest answer: ${(slowestMs / 1000).toFixed(1)} s`,
    ...roles.map((role) => `${role}: ${usageText(before[role])} at the start, ${usageText(after[role])} at the end`),
    ...Object.entries(verdict).map(([name, found]: [string, string[]]) => `${name}: ${found.length}`),
    ...Object.values(verdict)
      .flat()
      .map((line: string) => `  ${line}`),
    `left after the stop: ${left.length > 0 ? left.join(", ") : "nothing"}`,
  ];
}

const usageText = (usage: Usage | undefined): string =>
  usage
    ? `${usage.processes} processes with ${usage.descriptors} descriptors and ${Math.round(usage.bytes / 1024 ** 2)} MB`
    : "none";
