import { AppError } from "@terrarium/contract";

/** When a caller whose lane is full may try again. */
const LANE_FULL_RETRY_S = 1;

export interface GateOptions {
  /** How many run at once. */
  maxRunning: number;
  /** How many wait for a slot, in all lanes together and in each. */
  maxWaiting: number;
  maxWaitingPerLane: number;
}

/**
 * Limits concurrency. Calls beyond it wait in lanes, one for each caller, which take turns: whoever sends many calls delays mostly their own,
 * and cannot fill the places of others.
 */
export class Gate {
  readonly #options: GateOptions;
  #running = 0;
  #waiting = 0;
  /** Those who wait, by lane; the lane whose turn is next comes first. */
  readonly #lanes = new Map<string, (() => void)[]>();

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** @throws AppError TOO_MANY_REQUESTS when the lane is full, SERVICE_UNAVAILABLE when all are; whatever `work` throws. */
  async run<Result>(lane: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#options.maxRunning) this.#running++;
    else await this.#wait(lane);
    try {
      return await work();
    } finally {
      this.#passOn();
    }
  }

  #wait(lane: string): Promise<void> {
    const queue = this.#lanes.get(lane) ?? [];
    if (queue.length >= this.#options.maxWaitingPerLane)
      throw new AppError("TOO_MANY_REQUESTS", { facts: { retryAfterSeconds: LANE_FULL_RETRY_S } });
    if (this.#waiting >= this.#options.maxWaiting) throw new AppError("SERVICE_UNAVAILABLE");
    this.#waiting++;
    this.#lanes.set(lane, queue);
    return new Promise((resolve) => queue.push(resolve));
  }

  /** Gives a slot that has become free to the next in line. */
  #passOn(): void {
    const [next] = this.#lanes;
    if (!next) return void this.#running--;
    const [lane, queue] = next;
    this.#waiting--;
    // To the end of the line.
    this.#lanes.delete(lane);
    const proceed = queue.shift();
    if (queue.length > 0) this.#lanes.set(lane, queue);
    proceed?.();
  }
}
