import type { ListedRow } from "./db/lists.ts";

/** All are forgotten when there are more items. An item takes about 4 kB, with its JSON. */
const MAX_ITEMS = 4_000;

/**
 * Pages of up to this many items are cached, and all are dropped when there are too many of them, or too many items. Their JSON takes up to
 * 20 MB; those that nobody has read since their rows have changed also hold the old items, in the worst case another 40 MB.
 */
const MAX_ITEMS_OF_PAGE = 50;
const MAX_PAGES = 200;

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
  /** By the key of the first item: the latest page that it began. */
  readonly #latestPages = new Map<string, Item[]>();
  readonly #present: (rows: Row[], origin: string) => Promise<(Item | undefined)[]>;

  /** `present` must use nothing that can change but the row and the origin. Rows that are gone by now become undefined, and are left out. */
  constructor(present: (rows: Row[], origin: string) => Promise<(Item | undefined)[]>) {
    this.#present = present;
  }

  /** The same rows have the same items, which nobody can change. */
  of(rows: readonly ListedRow<Row>[], origin: string): Promise<Item[]> {
    const page = this.#pages.get(rows);
    if (page?.origin === origin) return page.items;
    const items = this.#itemsOf(rows, origin).then((made) => this.#pageOf(rows, origin, made));
    this.#pages.set(rows, { origin, items });
    return items;
  }

  /** A page with the same items as the latest is the same, so that its JSON is remembered, too. */
  #pageOf(rows: readonly ListedRow<Row>[], origin: string, items: Item[]): Item[] {
    const key = keyOf(rows[0]?.text ?? "", origin);
    const latest = this.#latestPages.get(key);
    if (latest?.length === items.length && items.every((item, index) => item === latest[index])) return latest;
    if (this.#latestPages.size >= MAX_PAGES) this.#latestPages.clear();
    if (items.length <= MAX_ITEMS_OF_PAGE) this.#latestPages.set(key, items);
    return Object.freeze(items) as Item[];
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
    if (this.#latest.size + made.length > MAX_ITEMS) {
      this.#latest.clear();
      this.#latestPages.clear();
    }
    for (const [index, { text }] of unknown.entries()) {
      const item = made[index];
      if (item) this.#latest.set(keyOf(text, origin), { text, item: Object.freeze(item) });
    }
    return items.flatMap((item) => item ?? made.shift() ?? []);
  }
}

const keyOf = (text: string, origin: string): string => origin + text.slice(0, text.indexOf(","));
