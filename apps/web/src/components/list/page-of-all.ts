import type { ListAsk, ListPage } from "./list.ts";

const compare = new Intl.Collator("en", { numeric: true }).compare;

/**
 * A page of rows that the service gives all at once: searched by `textOf`, sorted by a field that is text, and cut. Rows without
 * a value come last, whichever way they are sorted.
 */
export function pageOfAll<Row extends object>(
  all: readonly Row[],
  { page, page_size, ordering, search = "" }: ListAsk,
  textOf: (row: Row) => string,
): ListPage<Row> {
  const field = ordering.replace(/^-/, "") as keyof Row;
  const way = ordering.startsWith("-") ? -1 : 1;
  const lack = (row: Row) => Number(row[field] === null);
  const rows = all
    .filter((row) => textOf(row).toLowerCase().includes(search.toLowerCase()))
    .toSorted((one, other) => lack(one) - lack(other) || way * compare(String(one[field]), String(other[field])));
  return { count: rows.length, results: rows.slice((page - 1) * page_size, page * page_size) };
}
