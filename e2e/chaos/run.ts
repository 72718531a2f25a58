import { setTimeout as sleep } from "node:timers/promises";
import { nothingTold, runClient, type Told } from "./client.ts";
import { type FaultCounts, Faults } from "./faults.ts";
import { processesOf, type Role, type Usage, usageOf } from "../support/processes.ts";
import { Product } from "./product.ts";
import { randomFrom } from "../support/random.ts";
import type { Verdict } from "../support/rows-verdict.ts";
import { settledFacts } from "../support/facts.ts";

export interface ChaosOptions {
  seed: number;
  /** Asked before each fault: whether to go on. */
  goOn: (counts: FaultCounts) => boolean;
  say: (line: string) => void;
  /** See `newDataDir`. */
  prepared?: string;
}

export interface Outcome {
  acknowledged: Told;
  counts: FaultCounts;
  verdict: Verdict;
  /** Processes that were left when the product had stopped. */
  left: string[];
  states: Record<string, number>;
  before: Partial<Record<Role, Usage>>;
  after: Partial<Record<Role, Usage>>;
}

const CLIENTS = 4;
/** The next fault comes after so many replies at most, or after this time without: also what hangs is killed. */
const MAX_REPLIES = 8;
const MAX_QUIET_MS = 8_000;
const POLL_MS = 50;
/** How long clients may take to finish when the faults have ended. */
const SETTLE_MS = 60_000;

/** Runs the product under clients and faults, then compares what is there with what was acknowledged. */
export async function runChaos({ seed, goOn, say, prepared }: ChaosOptions): Promise<Outcome> {
  const random = randomFrom(seed);
  const product = await Product.start(prepared);
  const [over, giveUp] = [new AbortController(), new AbortController()];
  const acknowledged = nothingTold();
  const faults = new Faults({ dataDir: product.dataDir, random, say, canFill: product.isSmallDisk });
  if (!product.isSmallDisk) say("the disk is not filled: a small file system cannot be mounted here");
  try {
    const { results } = await product.client.recipes.list({ query: { search: "Phone 6.1", page_size: 1 } });
    const recipe = results[0]?.uuid ?? "";
    const options = { client: () => product.client, recipe, over: over.signal, giveUp: giveUp.signal, acknowledged };
    // Each has numbers of its own, as the order in which they ask is not the same twice.
    const clients = Array.from({ length: CLIENTS }, (_, index) =>
      runClient({ ...options, random: randomFrom(seed + index + 1) }),
    );
    await untilReplies(acknowledged, CLIENTS * 2);
    const before = await usageOf(await processesOf(product.dataDir));

    while (goOn(faults.counts)) {
      await faults.next();
      await untilReplies(acknowledged, random() * MAX_REPLIES);
    }
    await faults.end();
    over.abort();
    const patience = setTimeout(() => giveUp.abort(), SETTLE_MS);
    await Promise.all(clients);
    clearTimeout(patience);

    const { verdict, facts } = await settledFacts(product.dataDir, acknowledged);
    const after = await usageOf(await processesOf(product.dataDir));
    const states: Record<string, number> = {};
    for (const { state } of facts.rows) states[state] = (states[state] ?? 0) + 1;
    return { acknowledged, counts: faults.counts, verdict, states, before, after, left: await product.stop() };
  } catch (error) {
    giveUp.abort();
    await faults.end();
    await product.stop();
    throw error;
  }
}

async function untilReplies(acknowledged: Told, more: number): Promise<void> {
  const [enough, end] = [acknowledged.replies + more, performance.now() + MAX_QUIET_MS];
  while (acknowledged.replies < enough && performance.now() < end) await sleep(POLL_MS);
}
