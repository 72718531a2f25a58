import { isGood, reportOf } from "./report.ts";
import { runFleet } from "./run.ts";

const devices = Number(process.argv[2] ?? 100);
if (!Number.isInteger(devices) || devices < 2) {
  console.error("Usage: npm run fleet -- [DEVICES]");
  process.exit(2);
}
const began = performance.now();
const outcome = await runFleet(devices, (what) =>
  console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(7)} s  ${what}`),
);
for (const line of reportOf(outcome)) console.log(line);
process.exitCode = isGood(outcome) ? 0 : 1;
