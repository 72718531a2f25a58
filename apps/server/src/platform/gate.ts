import { AppError } from "@terrarium/contract";

/** Limits concurrency: at most `maxRunning` run at once and `maxWaiting` queue for a slot; further calls are refused. */
export class Gate {
  readonly #maxRunning: number;
  readonly #maxWaiting: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor({ maxRunning, maxWaiting }: { maxRunning: number; maxWaiting: number }) {
    this.#maxRunning = maxRunning;
    this.#maxWaiting = maxWaiting;
  }

  /** @throws AppError SERVICE_UNAVAILABLE when the queue is full; whatever `work` throws. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#maxRunning) {
      if (this.#waiting.length >= this.#maxWaiting) throw new AppError("SERVICE_UNAVAILABLE");
      // The call that finishes passes its slot on, so `#running` does not change here.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#running++;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
