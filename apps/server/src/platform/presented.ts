import type { ListedRow } from "./db/lists.ts";

/** All are forgotten when there are more items. An item takes about 4 kB, with its JSON. */
const MAX_ITEMS = 4_000;

/**
 * What rows are presented as. An item is made once and shared by all replies, until its row or the origin of the request is another: the
 * database is read each time, and an item is used again only if every column is what it was. Items are frozen, so that their JSON is
 * remembered too (`writerOf`).
 */
export class Presented<Row, Item extends object> {
  /** By the origin and the row's first column, which identifies the row. */
  readonly #latest = new Map<string, { text: string; item: Item }>();
  /** What those who share a page of rows get. */
  readonly #pages = new WeakMap<readonly ListedRow<Row>[], { origin: string; items: Promise<Item[]> }>();
  readonly #present: (rows: Row[], origin: string) => Promise<(Item | undefined)[]>;

  /** `present` must use nothing that can change but the row and the origin. Rows that are gone by now become undefined, and are left out. */
  constructor(present: (rows: Row[], origin: string) => Promise<(Item | undefined)[]>) {
    this.#present = present;
  }

  /** The same rows have the same items, which nobody can change. */
  of(rows: readonly ListedRow<Row>[], origin: string): Promise<Item[]> {
    const page = this.#pages.get(rows);
    if (page?.origin === origin) return page.items;
    const items = this.#itemsOf(rows, origin).then((made) => Object.freeze(made) as Item[]);
    this.#pages.set(rows, { origin, items });
    return items;
  }

  async #itemsOf(rows: readonly ListedRow<Row>[], origin: string): Promise<Item[]> {
    const items = rows.map(({ text }) => {
      const latest = this.#latest.get(keyOf(text, origin));
      return latest?.text === text ? latest.item : undefined;
    });
    const unknown = rows.filter((_, index) => !items[index]);
    if (unknown.length === 0) return items as Item[];
    const made = await this.#present(
      unknown.map(({ row }) => row),
      origin,
    );
    if (this.#latest.size + made.length > MAX_ITEMS) this.#latest.clear();
    for (const [index, { text }] of unknown.entries()) {
      const item = made[index];
      if (item) this.#latest.set(keyOf(text, origin), { text, item: Object.freeze(item) });
    }
    return items.flatMap((item) => item ?? made.shift() ?? []);
  }
}

const keyOf = (text: string, origin: string): string => origin + text.slice(0, text.indexOf(","));
