import type { ReceiverReport } from "./rtcp.ts";

/** A network that loses this much is congested: resending makes up for a few percent at most. */
const TOO_MUCH = 0.25;
/** Fewer packets prove nothing: losing one of four is an accident. */
const MIN_PACKETS = 50;

/** Distinguishes a congested network from occasional loss. */
export class LossMeter {
  #highest: number | undefined;

  /** Whether this report shows congestion. */
  isFull({ lost, highestSequence }: ReceiverReport): boolean {
    const packets = this.#highest === undefined ? 0 : (highestSequence - this.#highest) >>> 0;
    this.#highest = highestSequence;
    return packets >= MIN_PACKETS && lost >= TOO_MUCH;
  }
}
