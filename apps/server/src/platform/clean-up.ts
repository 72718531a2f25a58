/** One thing to undo. */
export type Step = () => unknown;

/**
 * Remembers how to undo what was started. `run` undoes it last first and once; errors do not stop it, they are thrown
 * together at the end as an AggregateError. A step added after the run is undone at once, so that a start that was slower than
 * the stop leaves nothing behind; should that fail, the next `run` says so.
 */
export class Cleanup {
  #steps: Step[] = [];
  #errors: unknown[] = [];
  #undoing: Promise<void> | undefined;

  add(step: Step): void {
    this.#steps.push(step);
    if (this.#undoing) this.#undoing = this.#undoing.then(() => this.#undo());
  }

  async run(): Promise<void> {
    this.#undoing ??= this.#undo();
    await this.#undoing;
    if (this.#errors.length > 0) throw new AggregateError(this.#errors, "Not everything could be undone");
  }

  async #undo(): Promise<void> {
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      try {
        await step();
      } catch (error) {
        this.#errors.push(error);
      }
    }
  }
}
