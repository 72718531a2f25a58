import type { Clock } from "@terrarium/clock";
import type { DisplaySource } from "./display-source.ts";

/** What is requested of scrcpy's encoder by default. */
const USUAL_BIT_RATE = 8_000_000;
/** Below that, text in motion cannot be read. */
const LEAST_BIT_RATE = 1_000_000;
/** A network that was full counts as such for this long. */
const FULL_MS = 10_000;
/** Between two steps down: each reopens the stream, and its effect has to be seen first. */
const STEP_MS = 5_000;
/** As long without all networks full, the picture gets better by a step. */
const CALM_MS = 60_000;
/** Twice as long each time that it was too soon, but no longer than this. */
const MOST_CALM_MS = 16 * CALM_MS;

interface StreamRateDeps {
  source: Pick<DisplaySource, "limitBitRate">;
  /** How many watch. */
  viewers: () => number;
  clock: Clock;
  /** Aborts with the device. */
  over: AbortSignal;
}

/**
 * Halves the bit rate of a device while the networks of all its viewers are full, by what they report, and doubles it again when they are
 * not. There is one stream for all: whoever's network alone is full only loses pictures.
 */
export class StreamRate {
  readonly #deps: StreamRateDeps;
  /** By viewer, when their network was full last. */
  readonly #fullAt = new Map<number, number>();
  #limit = USUAL_BIT_RATE;
  #changedAt = Number.NEGATIVE_INFINITY;
  /** The last step was one up. */
  #isTried = false;
  #calmMs = CALM_MS;
  #calming = new AbortController();

  constructor(deps: StreamRateDeps) {
    this.#deps = deps;
  }

  /** A viewer's network takes no more. */
  full(viewer: number): void {
    const { clock, viewers } = this.#deps;
    const now = clock.monotonic();
    this.#fullAt.set(viewer, now);
    const full = [...this.#fullAt.values()].filter((at) => now - at < FULL_MS).length;
    // One alone decides for the others neither that it gets worse nor that it stays so.
    if (full < viewers()) return;
    this.#calmLater();
    if (now - this.#changedAt < STEP_MS || this.#limit <= LEAST_BIT_RATE) return;
    // Each step reopens the stream: what was too much is not tried again each minute.
    if (this.#isTried && now - this.#changedAt < CALM_MS) this.#calmMs = Math.min(2 * this.#calmMs, MOST_CALM_MS);
    this.#step(this.#limit / 2);
  }

  left(viewer: number): void {
    this.#fullAt.delete(viewer);
  }

  /** Nobody has watched for a while. */
  forget(): void {
    this.#calmMs = CALM_MS;
    this.#step(USUAL_BIT_RATE);
  }

  #step(limit: number): void {
    // What was full before says nothing about its effect.
    this.#fullAt.clear();
    this.#isTried = limit > this.#limit;
    this.#changedAt = this.#deps.clock.monotonic();
    this.#limit = limit;
    this.#deps.source.limitBitRate?.(limit < USUAL_BIT_RATE ? limit : undefined);
    this.#calmLater();
  }

  #calmLater(): void {
    this.#calming.abort();
    if (this.#limit >= USUAL_BIT_RATE) return;
    this.#calming = new AbortController();
    const { clock, over } = this.#deps;
    clock.sleep(this.#calmMs, AbortSignal.any([over, this.#calming.signal])).then(
      () => this.#step(this.#limit * 2),
      () => undefined,
    );
  }
}
