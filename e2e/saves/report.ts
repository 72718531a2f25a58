import type { SavesOutcome } from "./run.ts";

export const reportOf = ({ kills, old, new: saved, wrong, stored, referred, left }: SavesOutcome): string[] => [
  `killed: ${Object.entries(kills)
    .map(([role, count]) => `${role} ${count}`)
    .join(", ")}`,
  `saves in flight: ${old + saved}; the image is the old one ${old} times, the new one ${saved} times, neither ${wrong.length} times`,
  `the store holds ${stored} layers, of which rows refer to ${referred}`,
  ...wrong.map((line) => `WRONG: ${line}`),
  ...left.map((line) => `LEFT: ${line}`),
];
