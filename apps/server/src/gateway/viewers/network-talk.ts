import { networkOf } from "../../platform/network-of.ts";
import { RateWindow } from "../rate-window.ts";

/** Twice what one viewer may send: a class behind one address draws with all its fingers and stays below it. */
const MAX_MESSAGES = 6_000;
const MAX_CHARS = 2_000_000;
const WINDOW_MS = 1_000;

/** How much all viewers of one network may send together. */
export class NetworkBudget {
  readonly #messages = new RateWindow(WINDOW_MS);
  readonly #chars = new RateWindow(WINDOW_MS);
  viewers = 0;

  allowsMessage(chars: number, now: number): boolean {
    const messages = this.#messages.add(1, now);
    return this.#chars.add(chars, now) <= MAX_CHARS && messages <= MAX_MESSAGES;
  }
}

/** The budgets of the networks that viewers are in now. */
export class NetworkTalk {
  readonly #budgets = new Map<string, NetworkBudget>();

  /** A viewer comes. Call `leave`, once, when it is gone. */
  join(address: string): { budget: NetworkBudget; leave(): void } {
    const network = networkOf(address);
    const budget = this.#budgets.get(network) ?? new NetworkBudget();
    this.#budgets.set(network, budget);
    budget.viewers++;
    const leave = () => {
      if (--budget.viewers === 0) this.#budgets.delete(network);
    };
    return { budget, leave };
  }
}
