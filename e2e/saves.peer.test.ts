import { randomInt } from "node:crypto";
import { expect, it } from "vitest";
import { reportOf } from "./saves/report.ts";
import { runSaves } from "./saves/run.ts";

/** With four devices that are saved at a time; `npm run saves -- KILLS` does more. */
const KILLS = 3;

it(
  "leaves the old or the new image, and nothing else, when a process is killed in the middle of saves",
  { timeout: 300_000 },
  async () => {
    const seed = randomInt(2 ** 31);
    const said: string[] = [`seed ${seed}`];
    const outcome = await runSaves({ seed, kills: KILLS, say: (line) => void said.push(line) });
    console.log([...said, ...reportOf(outcome)].join("\n"));
    expect(outcome).toMatchObject({ wrong: [], left: [] });
    expect(outcome.stored).toBe(outcome.referred);
    expect(outcome.old + outcome.new).toBe(KILLS * 4);
  },
);
