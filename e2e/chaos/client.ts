import type { Client } from "@terrarium/sdk";
import { AppError } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { pick } from "../support/random.ts";
import type { Acknowledged } from "../support/rows-verdict.ts";

/** What the clients were told. */
export interface Told extends Acknowledged {
  /** The longest time until a request, with its repetitions, was acknowledged. */
  slowestMs: number;
  replies: number;
  retries: number;
  /** Refusals by their code. */
  refused: Record<string, number>;
}

export const nothingTold = (): Told => ({
  started: new Map(),
  stopped: new Set(),
  slowestMs: 0,
  replies: 0,
  retries: 0,
  refused: {},
});

export interface ClientOptions {
  client: () => Client;
  recipe: string;
  random: () => number;
  /** Aborted: what was begun is finished, and nothing new begun. */
  over: AbortSignal;
  /** Aborted: it is given up too. */
  giveUp: AbortSignal;
  acknowledged: Told;
}

const MAX_DEVICES = 3;
const ANSWER_MS = 20_000;
const RETRY_MS = 200;

/** Starts and stops devices until it is over. Each request is repeated, with the same key, until it is answered for good. */
export async function runClient(options: ClientOptions): Promise<void> {
  const { random, over, giveUp, acknowledged, recipe } = options;
  const own: string[] = [];
  while (!over.aborted && !giveUp.aborted) {
    const stops = own.length > 0 && (own.length >= MAX_DEVICES || random() < 0.4);
    const begun = performance.now();
    const key = randomUUID();
    const device = stops ? pick(own, random) : undefined;
    const done = device
      ? await untilAnswered(options, async (client, signal) => {
          await client.instances.stop({ params: { uuid: device } }, { signal });
          acknowledged.stopped.add(device);
        })
      : await untilAnswered(options, async (client, signal) => {
          const body = { instance_name: key, rename_on_conflict: true };
          const call = { signal, idempotencyKey: key };
          const { uuid } = await client.recipes.start({ params: { uuid: recipe }, body }, call);
          acknowledged.started.set(key, (acknowledged.started.get(key) ?? new Set()).add(uuid));
          if (!own.includes(uuid)) own.push(uuid);
          // Some clients do not hear the reply, and ask again.
          if (random() < 0.2) throw new Error("not heard");
        });
    if (device) own.splice(own.indexOf(device), 1);
    if (done) acknowledged.slowestMs = Math.max(acknowledged.slowestMs, performance.now() - begun);
  }
}

/** False if the service has refused it, or nobody waits any more. */
async function untilAnswered(
  { client, giveUp, acknowledged }: ClientOptions,
  ask: (client: Client, signal: AbortSignal) => Promise<void>,
): Promise<boolean> {
  while (!giveUp.aborted) {
    try {
      await ask(client(), AbortSignal.any([giveUp, AbortSignal.timeout(ANSWER_MS)]));
      acknowledged.replies++;
      return true;
    } catch (error) {
      // A device that has ended cannot be stopped; an organization has a limit.
      if (error instanceof AppError && error.status < 500 && error.status !== 429) {
        acknowledged.refused[error.code] = (acknowledged.refused[error.code] ?? 0) + 1;
        await sleep(RETRY_MS, undefined, { signal: giveUp }).catch(() => undefined);
        return false;
      }
      acknowledged.retries++;
      await sleep(RETRY_MS, undefined, { signal: giveUp }).catch(() => undefined);
    }
  }
  return false;
}
