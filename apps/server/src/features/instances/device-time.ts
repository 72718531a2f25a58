import type { Clock } from "@terrarium/clock";

/** What a row says of its device's time. */
export interface MeasuredTime {
  ran_ms: number;
  idle_ms: number;
  /** When that was measured; null if no gateway has measured yet. */
  measured_at: Date | null;
}

/** Milliseconds since some moment, as devices count them: what an operator moves the clock by has passed for them too. */
export const livedMs = (clock: Clock): number => clock.monotonic() + (clock.movedMs?.() ?? 0);

/**
 * How long a device has been starting or online, and how long nobody has used it. The gateway that holds the device measures by its
 * monotonic clock and writes it to the row, so that the system's clock can be set without ending a device or letting it run for ever.
 */
export class DeviceTime {
  readonly #clock: Clock;
  #beganAt: number;
  #usedAt: number;

  /**
   * Goes on from what the row says. Only the wall clock knows how long nobody measured; a device does not outlive its gateway for longer
   * than `longestGapMs`, so a clock that was set meanwhile adds no more than that.
   */
  constructor(clock: Clock, row: MeasuredTime, longestGapMs: number) {
    const gap = row.measured_at ? clock.now() - row.measured_at.getTime() : 0;
    const measuredAt = livedMs(clock) - Math.min(Math.max(0, gap), longestGapMs);
    this.#clock = clock;
    this.#beganAt = measuredAt - row.ran_ms;
    this.#usedAt = measuredAt - row.idle_ms;
  }

  /** It came online then, by `livedMs`: both count from there. */
  restart(at: number): void {
    this.#beganAt = at;
    this.#usedAt = at;
  }

  used(): void {
    this.#usedAt = livedMs(this.#clock);
  }

  /** Now, for the row. */
  read(): { ran_ms: number; idle_ms: number; measured_at: Date } {
    const now = livedMs(this.#clock);
    return {
      ran_ms: Math.round(now - this.#beganAt),
      idle_ms: Math.round(now - this.#usedAt),
      measured_at: new Date(this.#clock.now()),
    };
  }
}
