import { randomInt } from "node:crypto";
import { reportOf } from "./report.ts";
import { runSaves } from "./run.ts";

const kills = Number(process.argv[2] ?? 50);
const seed = Number(process.argv[3] ?? randomInt(2 ** 31));
if (!(kills > 0) || !Number.isInteger(seed)) {
  console.error("Usage: npm run saves -- KILLS [SEED]");
  process.exit(2);
}
console.log(`${kills} kills with seed ${seed}`);
const begun = performance.now();
const outcome = await runSaves({
  seed,
  kills,
  say: (line) => console.log(`${((performance.now() - begun) / 1000).toFixed(1).padStart(7)} s  ${line}`),
});
for (const line of reportOf(outcome)) console.log(line);
process.exitCode = outcome.wrong.length === 0 && outcome.stored === outcome.referred ? 0 : 1;
