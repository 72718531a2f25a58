import type { Clock } from "./clock.ts";

interface Sleeper {
  /** By the monotonic clock. */
  due: number;
  wake(): void;
}

/** A clock that stands still until a test moves it. */
export class TestClock implements Clock {
  /** What the wall clock shows when the monotonic clock shows 0. */
  #offset: number;
  #monotonic = 0;
  #sleepers: Sleeper[] = [];

  constructor(start: number | string = "2026-03-02T09:00:00Z") {
    this.#offset = typeof start === "number" ? start : Date.parse(start);
  }

  now(): number {
    return this.#offset + this.#monotonic;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const sleeper: Sleeper = { due: this.#monotonic + ms, wake: resolve };
      this.#sleepers.push(sleeper);
      const stop = () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", stop, { once: true });
    });
  }

  /**
   * Lets `ms` pass, waking each sleeper at its own time. Resolves when the code that was woken waits again.
   */
  async advance(ms: number): Promise<void> {
    const end = this.#monotonic + ms;
    await settle();
    for (;;) {
      const next = this.#sleepers.toSorted((a, b) => a.due - b.due)[0];
      if (!next || next.due > end) break;
      this.#sleepers = this.#sleepers.filter((other) => other !== next);
      this.#monotonic = Math.max(this.#monotonic, next.due);
      next.wake();
      await settle();
    }
    this.#monotonic = end;
    await settle();
  }

  /** Sets the wall clock forward, or back with a negative number, as NTP and operators do. No time passes. */
  step(ms: number): void {
    this.#offset += ms;
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
