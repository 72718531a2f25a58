import { expect, inject, it } from "vitest";
import { reportOf, verdictOf } from "./soak/report.ts";
import { runSoak } from "./soak/run.ts";
import { tableHead, tableLine } from "./soak/table.ts";

/** Some tens of viewers; `npm run soak -- MINUTES` goes on for longer. */
const MINUTES = 0.15;
const DEVICES = 4;

it("shows each viewer a picture and leaves nothing behind while viewers come and go", async () => {
  const said = tableHead();
  const outcome = await runSoak({
    minutes: MINUTES,
    devices: DEVICES,
    prepared: inject("preparedData"),
    onSample: (sample) => void said.push(tableLine(sample)),
  });
  console.log([...said, ...reportOf(outcome)].join("\n"));
  expect(Object.values(verdictOf(outcome)).flat()).toEqual([]);
  expect(outcome.after.tally.firstPictureMs.length).toBeGreaterThan(5);
});
