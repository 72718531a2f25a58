import { Listeners } from "../components/listeners.ts";

/** The address of an invitation that somebody opened while they were signed in, until they have seen why it did not open. */
class UnopenedInvitation {
  #address: string | undefined;
  readonly #listeners = new Listeners();
  readonly subscribe = this.#listeners.subscribe;
  readonly current = (): string | undefined => this.#address;

  note(address: string | undefined): void {
    this.#address = address;
    this.#listeners.notify();
  }
}

export const unopenedInvitation = new UnopenedInvitation();
