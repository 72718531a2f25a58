import type { Clock } from "./clock.ts";

interface Sleeper {
  due: number;
  wake(): void;
}

/** A clock that stands still until a test moves it. */
export class TestClock implements Clock {
  #now: number;
  #sleepers: Sleeper[] = [];

  constructor(start: number | string = "2026-03-02T09:00:00Z") {
    this.#now = typeof start === "number" ? start : Date.parse(start);
  }

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const sleeper: Sleeper = { due: this.#now + ms, wake: resolve };
      this.#sleepers.push(sleeper);
      const stop = () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", stop, { once: true });
    });
  }

  /**
   * Moves the clock by `ms`, waking each sleeper at its own time. Resolves when the code that was woken waits again. A negative number sets
   * the clock back.
   */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settle();
    for (;;) {
      const next = this.#sleepers.toSorted((a, b) => a.due - b.due)[0];
      if (!next || next.due > end) break;
      this.#sleepers = this.#sleepers.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.due);
      next.wake();
      await settle();
    }
    this.#now = end;
    await settle();
  }

  /** The number of pending sleeps, to check that a loop has ended. */
  get sleeping(): number {
    return this.#sleepers.length;
  }
}

/** Lets pending promises and their callbacks run: two turns of the event loop. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
}
