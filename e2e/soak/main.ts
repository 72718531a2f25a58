import { reportOf, verdictOf } from "./report.ts";
import { runSoak } from "./run.ts";
import { tableHead, tableLine } from "./table.ts";

const minutes = Number(process.argv[2] ?? 2);
const devices = Number(process.argv[3] ?? 20);
if (!(minutes > 0) || !Number.isInteger(devices) || devices < 2) {
  console.error("Usage: npm run soak -- MINUTES [DEVICES]");
  process.exit(2);
}
console.log(`Soak for ${minutes} minutes with ${devices} devices`);

for (const line of tableHead()) console.log(line);
const outcome = await runSoak({ minutes, devices, onSample: (sample) => console.log(tableLine(sample)) });
for (const line of reportOf(outcome)) console.log(line);
process.exitCode = Object.values(verdictOf(outcome)).every((lines) => lines.length === 0) ? 0 : 1;
