import { createClient } from "@terrarium/sdk";
import { cleanup } from "node-datachannel";
import { stockAdb } from "../support/adb.ts";
import { settledFacts } from "../support/facts.ts";
import { pick } from "../support/random.ts";
import type { Acknowledged, Facts, Verdict as RowsVerdict } from "../support/rows-verdict.ts";
import { demo, newDataDir, TestServer } from "../support/server.ts";
import { Fleet } from "./fleet.ts";
import { areDescriptorsLevel } from "./verdict.ts";
import { type Sample, Sampler } from "./sample.ts";
import { emptyTally, type Tally } from "./tally.ts";
import { fallAsleep, makeVisit, pause, useAdb, type Visit, type VisitDeps, visits } from "./visits.ts";
import { Vitals } from "./vitals.ts";

export interface SoakOptions {
  minutes: number;
  devices: number;
  /** Called with each sample when it is taken. */
  onSample: (sample: Sample) => void;
  /** See `newDataDir`. */
  prepared?: string;
}

export interface Outcome {
  /** Before the first visitor, at least twelve while they come and go, and after the last. */
  before: Sample;
  samples: Sample[];
  after: Sample;
  fleet: Acknowledged;
  facts: Facts;
  rows: RowsVerdict;
  /** What the server and its gateway logged as errors. */
  errors: string[];
}

/** At least three in each quarter of the time, and one a minute: the least of a few is chance. */
const samplesIn = (minutes: number): number => Math.max(12, Math.ceil(minutes));
/** Visitors at a time. */
const CROWD = 8;
const MAX_PAUSE_MS = 1_000;
/** Devices that are being replaced at a time, and the pause of each. */
const REPLACEMENTS = 3;
const REPLACE_MS = 1_500;
const ADB_MS = 4_000;
/** Displays close half a minute after their last viewer; until then, descriptors may differ. */
const REST_MS = 60_000;
const POLL_MS = 1_000;

/** Runs the product under visitors who come and go, and devices that are replaced. */
export async function runSoak({ minutes, devices, onSample, prepared }: SoakOptions): Promise<Outcome> {
  const vitals = await Vitals.create();
  const server = await TestServer.start({ LOG_LEVEL: "error", ...vitals.environment }, await newDataDir(prepared));
  const adb = await stockAdb();
  const over = new AbortController();
  const tally = emptyTally();
  try {
    await server.operate("organizations", "limit", "Northwind Mobile", String(devices * 2));
    const client = await countingClient(server, tally);
    const { results } = await client.recipes.list({ query: { search: "Phone 6.1", page_size: 1 } });
    const fleet = new Fleet(client, results[0]?.uuid ?? "", tally);
    await fleet.start(devices);
    const addresses = new Map((await server.instances()).map((one) => [one.uuid, one.adb ?? ""]));

    const sampler = new Sampler(server.dataDir, vitals, tally);
    const sample = async () => {
      const taken = await sampler.take();
      onSample(taken);
      return taken;
    };
    const before = await sample();
    const deps: VisitDeps = { client, fleet, tally, over: over.signal };
    const overAndOver = async (pauseMs: () => number, work: () => Promise<void>) => {
      while (!over.signal.aborted) {
        await work().catch((error: unknown) =>
          tally.failures.push(error instanceof Error ? error.message : String(error)),
        );
        await pause(pauseMs(), over.signal);
      }
    };
    const visiting =
      (visit: () => Visit, device = () => fleet.pick()) =>
      () =>
        makeVisit(visit(), device(), deps);
    const adbVisit = useAdb(adb, (uuid) => addresses.get(uuid) ?? "");
    const crowd = [
      ...Array.from({ length: CROWD }, () =>
        overAndOver(
          () => Math.random() * MAX_PAUSE_MS,
          visiting(() => pick(visits, Math.random) ?? fallAsleep),
        ),
      ),
      overAndOver(
        () => MAX_PAUSE_MS,
        visiting(() => fallAsleep),
      ),
      overAndOver(
        () => ADB_MS,
        visiting(
          () => adbVisit,
          () => pick(fleet.kept, Math.random) ?? fleet.pick(),
        ),
      ),
      ...Array.from({ length: REPLACEMENTS }, () =>
        overAndOver(
          () => REPLACE_MS,
          () => fleet.replaceOne(),
        ),
      ),
    ];

    const samples: Sample[] = [];
    const began = performance.now();
    const count = samplesIn(minutes);
    while (samples.length < count) {
      const due = began + (minutes * 60_000 * (samples.length + 1)) / count;
      await pause(Math.max(0, due - performance.now()), over.signal);
      samples.push(await sample());
    }
    over.abort();
    await Promise.all(crowd);

    const end = performance.now() + REST_MS;
    let after = await sampler.take();
    while (!areDescriptorsLevel(before, after) && performance.now() < end) {
      await pause(POLL_MS, AbortSignal.timeout(REST_MS));
      after = await sampler.take();
    }
    onSample(after);
    const { facts, verdict } = await settledFacts(server.dataDir, fleet);
    const errors = server.output.split("\n").filter((line) => line.startsWith('{"level"'));
    return { before, samples, after, fleet, facts, rows: verdict, errors };
  } finally {
    over.abort();
    await adb.stop();
    await server.stop();
    await vitals.remove();
    cleanup();
  }
}

/** The manager's client, which notes refusals and the slowest answer. */
async function countingClient(server: TestServer, tally: Tally) {
  const { token } = await server.signIn(demo.manager);
  return createClient({
    retries: 0,
    baseUrl: server.url,
    token: () => token,
    onError: ({ code }) => (tally.refused[code] = (tally.refused[code] ?? 0) + 1),
    async fetch(...request) {
      const began = performance.now();
      const response = await fetch(...request);
      tally.slowestMs = Math.max(tally.slowestMs, performance.now() - began);
      return response;
    },
  });
}
