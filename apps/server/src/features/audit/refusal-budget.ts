/** Recorded per minute: of one address, and in all. After ten wrong passwords sign-ins are limited, which should show too. */
const MAX_PER_ADDRESS = 15;
const MAX_RECORDED = 100;
/** Addresses that are counted separately per minute. */
const MAX_COUNTED = 20;

/**
 * Decides which refusals of a minute are recorded one by one, and counts the others, so that an attacker cannot fill the database.
 * Each process has its own.
 */
export class RefusalBudget {
  #recorded = new Map<string, number>();
  #total = 0;
  #counted = new Map<string, number>();

  /** Whether to record a refusal; otherwise it is counted. */
  take(address: string): boolean {
    const recorded = this.#recorded.get(address) ?? 0;
    if (this.#total < MAX_RECORDED && recorded < MAX_PER_ADDRESS) {
      this.#total++;
      this.#recorded.set(address, recorded + 1);
      return true;
    }
    const key = this.#counted.has(address) || this.#counted.size < MAX_COUNTED ? address : "";
    this.#counted.set(key, (this.#counted.get(key) ?? 0) + 1);
    return false;
  }

  /** Ends the minute. Returns how many were not recorded, by address; `""` stands for all further addresses. */
  next(): Map<string, number> {
    const counted = this.#counted;
    this.#recorded = new Map();
    this.#total = 0;
    this.#counted = new Map();
    return counted;
  }
}
