import type { ReceiverReport } from "./rtcp.ts";

/** A network that loses this much is full: what can be sent again is a few packets in a hundred. */
const TOO_MUCH = 0.25;
/** Fewer packets than these say nothing: one of four lost is an accident. */
const MIN_PACKETS = 50;

/** Tells a viewer whose network takes less than is sent from one that lost something by chance. */
export class LossMeter {
  #highest: number | undefined;

  /** Whether this report says that the network is full. */
  isFull({ lost, highestSequence }: ReceiverReport): boolean {
    const packets = this.#highest === undefined ? 0 : (highestSequence - this.#highest) >>> 0;
    this.#highest = highestSequence;
    return packets >= MIN_PACKETS && lost >= TOO_MUCH;
  }
}
