/** Undoes one thing; awaited if it returns a promise. */
export type Step = () => unknown;

/**
 * A stack of clean-up steps. `run` executes them last to first, and each once; an error does not stop it: all errors are thrown
 * together at the end, as an AggregateError. A step added after `run` is executed at once, so that a start that is slower than the
 * stop leaves nothing behind; if it fails, the next `run` throws.
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
