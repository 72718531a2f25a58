import { RateWindow } from "../rate-window.ts";

/** The fastest mice report 1000 positions a second; fingers and keys come on top. */
const MAX_MESSAGES = 3_000;
/** The longest message a player sends is a clipboard of at most 256 KiB. */
const MAX_CHARS = 1_000_000;
const WINDOW_MS = 1_000;

/** A browser sends one candidate per network interface and media line, usually fewer than ten. */
const MAX_CANDIDATES = 64;
/** Enough for someone who toggles camera, microphone and quality; each offer costs time that all viewers share. */
const MAX_OFFERS = 20;
const OFFER_WINDOW_MS = 10_000;

/** How much one viewer may send: more than any player does, but not enough to delay other viewers' pictures. */
export class TalkBudget {
  readonly #messages = new RateWindow(WINDOW_MS);
  readonly #chars = new RateWindow(WINDOW_MS);
  readonly #offers = new RateWindow(OFFER_WINDOW_MS);
  #candidates = 0;

  /** Counts messages before they are parsed, on the socket and the data channel together. */
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
