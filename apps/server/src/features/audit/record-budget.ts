/** How much is recorded, or counted, in a minute. */
export interface RecordLimits {
  /** Recorded of one source. */
  each: number;
  /** Recorded in all. */
  all: number;
  /** Sources that are counted separately. */
  counted: number;
}

/** Decides which acts of one minute are recorded one by one, and counts the others, so that nobody can fill the database. */
export class RecordBudget {
  readonly #limits: RecordLimits;
  readonly #recorded = new Map<string, number>();
  #total = 0;
  readonly #counted = new Map<string, number>();

  constructor(limits: RecordLimits) {
    this.#limits = limits;
  }

  /** Whether to record an act of a source, as an address; otherwise it is counted. */
  take(source: string): boolean {
    const recorded = this.#recorded.get(source) ?? 0;
    if (this.#total < this.#limits.all && recorded < this.#limits.each) {
      this.#total++;
      this.#recorded.set(source, recorded + 1);
      return true;
    }
    const key = this.#counted.has(source) || this.#counted.size < this.#limits.counted ? source : "";
    this.#counted.set(key, (this.#counted.get(key) ?? 0) + 1);
    return false;
  }

  /** How many were not recorded, by source; `""` stands for all further sources. */
  notRecorded(): ReadonlyMap<string, number> {
    return this.#counted;
  }
}
