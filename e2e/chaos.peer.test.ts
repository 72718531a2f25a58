import { randomInt } from "node:crypto";
import { expect, inject, it } from "vitest";
import { reportOf } from "./chaos/report.ts";
import { runChaos } from "./chaos/run.ts";

/** About a minute on a machine of two cores; `npm run chaos -- MINUTES` goes on for longer. */
const FAULTS = 6;

it(
  "loses, doubles and orphans nothing while its processes are killed and stopped at random",
  { timeout: 600_000 },
  async () => {
    const seed = randomInt(2 ** 31);
    const said: string[] = [`seed ${seed}`];
    const outcome = await runChaos({
      seed,
      goOn: ({ kills, stops, fills }) => kills + stops + fills < FAULTS,
      say: (line) => void said.push(line),
      prepared: inject("preparedData"),
    });
    console.log([...said, ...reportOf(outcome)].join("\n"));
    expect(outcome.verdict).toEqual({ lost: [], duplicated: [], orphaned: [], stuck: [], impossible: [] });
    expect(outcome.left).toEqual([]);
    expect(outcome.acknowledged.started.size).toBeGreaterThan(FAULTS / 2);
  },
);
