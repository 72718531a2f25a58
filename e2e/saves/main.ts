import { randomInt } from "node:crypto";
import { reportOf, sumOf } from "./report.ts";
import { runSaves } from "./run.ts";

/** Products side by side: each waits much, as for the lease of a gateway that was killed. */
const PRODUCTS = 3;

const kills = Number(process.argv[2] ?? 50);
const seed = Number(process.argv[3] ?? randomInt(2 ** 31));
if (!(kills > 0) || !Number.isInteger(seed)) {
  console.error("Usage: npm run saves -- KILLS [SEED]");
  process.exit(2);
}
console.log(`${kills} kills with seed ${seed}`);
const begun = performance.now();
const products = Array.from({ length: Math.min(PRODUCTS, kills) }, (_, index) =>
  runSaves({
    seed: seed + index,
    kills: Math.floor((kills + index) / Math.min(PRODUCTS, kills)),
    say: (line) =>
      console.log(`${((performance.now() - begun) / 1000).toFixed(1).padStart(7)} s  product ${index + 1}: ${line}`),
  }),
);
const outcomes = await Promise.allSettled(products);
const ended = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
for (const outcome of outcomes) if (outcome.status === "rejected") console.log("WRONG:", outcome.reason);
const sum = sumOf(ended);
for (const line of reportOf(sum)) console.log(line);
process.exitCode = ended.length === outcomes.length && sum.wrong.length + sum.left.length === 0 ? 0 : 1;
