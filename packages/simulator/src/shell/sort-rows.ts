/** A line, and what it is compared by: first the number, then the text. */
export interface Row {
  line: string;
  key: string;
  number: number;
}

/** How many rows are sorted at once; more are merged from such runs. */
const RUN = 2048;
/** How many rows are merged between two calls of `breathe`. */
const MERGED_AT_ONCE = 1024;

const compare = (a: Row, b: Row): number => a.number - b.number || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);

/** Sorts as `Array.sort` does, but calls `breathe` every few milliseconds, so that a large file does not hold up the process. */
export async function sortRows(rows: Row[], breathe: () => Promise<void>): Promise<Row[]> {
  let runs: Row[][] = [];
  for (let at = 0; at < rows.length; at += RUN) {
    runs.push(rows.slice(at, at + RUN).toSorted(compare));
    await breathe();
  }
  while (runs.length > 1) {
    const merged: Row[][] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(await merge(runs[at]!, runs[at + 1] ?? [], breathe));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge(left: Row[], right: Row[], breathe: () => Promise<void>): Promise<Row[]> {
  const all: Row[] = [];
  for (let [l, r] = [0, 0]; l < left.length || r < right.length;) {
    const isLeft = r >= right.length || (l < left.length && compare(left[l]!, right[r]!) <= 0);
    all.push(isLeft ? left[l++]! : right[r++]!);
    if (all.length % MERGED_AT_ONCE === 0) await breathe();
  }
  return all;
}
