import { setTimeout as sleep } from "node:timers/promises";
import { query } from "./database.ts";
import { portsOf, processesOf } from "./processes.ts";
import {
  type Acknowledged,
  type Facts,
  type HistoryRow,
  isGood,
  type Row,
  type Verdict,
  verdictOf,
} from "./rows-verdict.ts";

/** How long the product may take to put things right. */
const SETTLE_MS = 60_000;
const POLL_MS = 500;

/** What the database and the processes of the product with this data directory say. */
export async function factsOf(dataDir: string): Promise<Facts> {
  const rows = await query<Row>(dataDir, "SELECT uuid, name, state, machine FROM instances");
  const history = await query<HistoryRow>(
    dataDir,
    "SELECT instance_uuid, event, from_state, to_state FROM instance_events ORDER BY instance_uuid, revision",
  );
  const hosts = (await processesOf(dataDir)).filter(({ role }) => role === "host");
  return { rows, history, ports: await portsOf(hosts.map(({ pid }) => pid)) };
}

/** Looks until nothing is wrong, for a minute at most: what the product puts right in that time is right. */
export async function settledFacts(
  dataDir: string,
  acknowledged: Acknowledged,
): Promise<{ verdict: Verdict; facts: Facts }> {
  const end = performance.now() + SETTLE_MS;
  for (;;) {
    const facts = await factsOf(dataDir).catch((error: unknown) => {
      if (performance.now() > end) throw error;
    });
    const verdict = facts && verdictOf(acknowledged, facts);
    if (facts && verdict && (isGood(verdict) || performance.now() > end)) return { verdict, facts };
    await sleep(POLL_MS);
  }
}
