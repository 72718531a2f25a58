import type { ListedRow } from "./db/lists.ts";

/** What is kept is dropped when there are more items. An item takes about 4 kB, with its JSON. */
const MAX_ITEMS = 4_000;

/**
 * What rows are presented as. An item is made once and shared by all replies, until its row or the origin of the request is another: the
 * database is read each time, and what it says is the key. Items are frozen, so that their JSON is remembered too (`writerOf`).
 */
export class Presented<Row, Item extends object> {
  readonly #items = new Map<string, Item>();
  readonly #present: (rows: Row[], origin: string) => Promise<Item[]>;

  /** `present` must use nothing that can change but the row and the origin. */
  constructor(present: (rows: Row[], origin: string) => Promise<Item[]>) {
    this.#present = present;
  }

  async of(rows: readonly ListedRow<Row>[], origin: string): Promise<Item[]> {
    const items = rows.map(({ text }) => this.#items.get(origin + text));
    const unknown = rows.filter((_, index) => !items[index]);
    if (unknown.length === 0) return items as Item[];
    const made = await this.#present(
      unknown.map(({ row }) => row),
      origin,
    );
    if (this.#items.size + made.length > MAX_ITEMS) this.#items.clear();
    for (const [index, item] of made.entries()) this.#items.set(origin + unknown[index]?.text, Object.freeze(item));
    return items.map((item) => item ?? (made.shift() as Item));
  }
}
