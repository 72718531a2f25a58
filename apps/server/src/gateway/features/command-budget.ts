import type { PlayerCommand } from "@terrarium/player";

/** The fastest mice tell 1000 places a second. */
const MAX_PER_SECOND = 1_000;
const WINDOW_MS = 1_000;

/** How much one viewer may ask of a device; what ends something is always let through, so that nothing stays pressed. */
export class CommandBudget {
  #windowStart = Number.NEGATIVE_INFINITY;
  #count = 0;

  allows(command: PlayerCommand, now: number): boolean {
    if (now - this.#windowStart >= WINDOW_MS) {
      this.#windowStart = now;
      this.#count = 0;
    }
    this.#count++;
    return this.#count <= MAX_PER_SECOND || endsSomething(command);
  }
}

function endsSomething(command: PlayerCommand): boolean {
  return "action" in command && (command.action === "release" || command.action === "up");
}
