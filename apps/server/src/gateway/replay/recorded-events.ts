import { REPLAY_MS, type ReplayEvent } from "@terrarium/contract";

/** Old ones are forgotten so many at a time: one by one would cost more than it costs to record them. */
const FORGOTTEN_AT_ONCE = 64;

/** The last things that happened, at most `max` of them. Their times are by a monotonic clock, in ms. */
export class RecordedEvents {
  readonly #max: number;
  #events: ReplayEvent[] = [];
  #added = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get latest(): ReplayEvent | undefined {
    return this.#events.at(-1);
  }

  add(event: ReplayEvent): void {
    this.#events.push(event);
    if (++this.#added % FORGOTTEN_AT_ONCE === 0) this.#events = this.#latestSince(event.at - REPLAY_MS);
  }

  /** What happened from `start` on, with times that count from there. */
  since(start: number): ReplayEvent[] {
    return this.#latestSince(start).map((event) => {
      const at = event.at - start;
      return event.type === "typing" ? { ...event, at, until: event.until - start } : { ...event, at };
    });
  }

  clear(): void {
    this.#events = [];
  }

  #latestSince(start: number): ReplayEvent[] {
    return this.#events.filter(({ at }) => at >= start).slice(-this.#max);
  }
}
