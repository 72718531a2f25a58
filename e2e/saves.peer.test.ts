import { randomInt } from "node:crypto";
import { expect, inject, it } from "vitest";
import { reportOf } from "./saves/report.ts";
import { DEVICES, runSaves } from "./saves/run.ts";

/** Each role once; `npm run saves -- KILLS` does more. */
const KILLS = 3;

it(
  "leaves the old or the new image, and nothing else, when a process is killed in the middle of saves",
  { timeout: 600_000 },
  async () => {
    const seed = randomInt(2 ** 31);
    const said: string[] = [`seed ${seed}`];
    const outcome = await runSaves({
      seed,
      kills: KILLS,
      say: (line) => void said.push(line),
      prepared: inject("preparedData"),
    });
    console.log([...said, ...reportOf(outcome)].join("\n"));
    expect(outcome).toMatchObject({ wrong: [], left: [] });
    expect(outcome.stored).toBe(outcome.referred);
    expect(Object.values(outcome.became).reduce((sum, count) => sum + count)).toBe(KILLS * DEVICES);
  },
);
