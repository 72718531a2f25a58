import { randomInt } from "node:crypto";
import { isGood } from "../support/rows-verdict.ts";
import { reportOf } from "./report.ts";
import { runChaos } from "./run.ts";

const minutes = Number(process.argv[2] ?? 2);
const seed = Number(process.argv[3] ?? randomInt(2 ** 31));
if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error("Usage: npm run chaos -- MINUTES [SEED]");
  process.exit(2);
}
console.log(`Chaos for ${minutes} minutes with seed ${seed}`);

let begun: number | undefined;
const minutesNow = () => (performance.now() - (begun ??= performance.now())) / 60_000;
const outcome = await runChaos({
  seed,
  goOn: () => minutesNow() < minutes,
  say: (line) => console.log(`${(minutesNow() * 60).toFixed(1).padStart(7)} s  ${line}`),
});
for (const line of reportOf(outcome)) console.log(line);
process.exitCode = isGood(outcome.verdict) && outcome.left.length === 0 ? 0 : 1;
