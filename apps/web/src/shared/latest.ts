/** Changes remembered for answers that are on their way; more than any page shows. */
const MAX_REMEMBERED = 1000;

/** The newest change of each thing, by its revision. The last thousand are held. */
export class Latest<Change extends { uuid: string; revision: number }> {
  readonly #changes = new Map<string, Change>();

  remember(change: Change): void {
    if ((this.get(change.uuid)?.revision ?? 0) >= change.revision) return;
    this.#changes.delete(change.uuid);
    this.#changes.set(change.uuid, change);
    const [oldest] = this.#changes.keys();
    if (this.#changes.size > MAX_REMEMBERED && oldest !== undefined) this.#changes.delete(oldest);
  }

  readonly get = (uuid: string): Change | undefined => this.#changes.get(uuid);
}
