import { REPLAY_MS, type ReplayEvent } from "@terrarium/contract";

/** The last things that happened, at most `max` of them. Their times are by a monotonic clock, in ms. */
export class RecordedEvents {
  readonly #max: number;
  #events: ReplayEvent[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  get latest(): ReplayEvent | undefined {
    return this.#events.at(-1);
  }

  add(event: ReplayEvent): void {
    this.#events.push(event);
    while (this.#events.length > this.#max || (this.#events[0]?.at ?? event.at) < event.at - REPLAY_MS)
      this.#events.shift();
  }

  /** What happened from `start` on, with times that count from there. */
  since(start: number): ReplayEvent[] {
    return this.#events
      .filter(({ at }) => at >= start)
      .map((event) => {
        const at = event.at - start;
        return event.type === "typing" ? { ...event, at, until: event.until - start } : { ...event, at };
      });
  }

  clear(): void {
    this.#events = [];
  }
}
