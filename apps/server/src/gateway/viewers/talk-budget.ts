import { RateWindow } from "../rate-window.ts";

/** The fastest mice tell 1000 places a second, fingers and keys come beside them. */
const MAX_MESSAGES = 3_000;
/** A clipboard is the longest that a player sends, 256 KiB at most. */
const MAX_CHARS = 1_000_000;
const WINDOW_MS = 1_000;

/** A browser has one candidate for each of its networks and media, most often fewer than ten. */
const MAX_CANDIDATES = 64;
/** Somebody who switches camera, microphone and quality to and fro; each offer is work for all that the gateway serves. */
const MAX_OFFERS = 20;
const OFFER_WINDOW_MS = 10_000;

/** How much one viewer may say: more than any player does, and not so much that others wait for their picture. */
export class TalkBudget {
  readonly #messages = new RateWindow(WINDOW_MS);
  readonly #chars = new RateWindow(WINDOW_MS);
  readonly #offers = new RateWindow(OFFER_WINDOW_MS);
  #candidates = 0;

  /** Asked of each message before it is read, of the socket and of the channel together. */
  allowsMessage(chars: number, now: number): boolean {
    const messages = this.#messages.add(1, now);
    return this.#chars.add(chars, now) <= MAX_CHARS && messages <= MAX_MESSAGES;
  }

  allowsOffer(now: number): boolean {
    return this.#offers.add(1, now) <= MAX_OFFERS;
  }

  allowsCandidate(): boolean {
    return ++this.#candidates <= MAX_CANDIDATES;
  }
}
