import type { Part, PartSample, Sample } from "./sample.ts";
import { emptyTally, type Tally } from "./tally.ts";

export const aPart = (sample: Partial<PartSample> = {}): PartSample => ({
  processes: 1,
  descriptors: 0,
  threads: 0,
  bytes: 0,
  cpuSeconds: 0,
  cpuShare: 0,
  ...sample,
});

export const aSample = (parts: Partial<Record<Part, PartSample>> = {}, tally: Partial<Tally> = {}): Sample => ({
  seconds: 0,
  parts: { server: aPart(), gateway: aPart(), hosts: aPart(), postgres: aPart(), ...parts },
  tally: { ...emptyTally(), ...tally },
});
