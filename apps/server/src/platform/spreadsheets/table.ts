import { TableError } from "./table-error.ts";

export type TableKind = "csv" | "xls" | "xlsx";

/** What is sought in a file. */
export interface Wanted<Column extends string> {
  /** The headers that name each column: without case, spaces and signs. */
  columns: Readonly<Record<Column, readonly string[]>>;
  maxRows: number;
  /** Longer texts are cut. */
  maxTextLength: number;
}

export interface Table<Column extends string> {
  /** The first sheet, and how many others there are; null for a format without sheets. */
  sheet: { name: string; others: number } | null;
  /** `line` is the row's number in the file, from 1; blank rows are left out. */
  rows: ({ line: number } & Record<Column, string>)[];
}

/**
 * Takes the columns that are sought out of rows, the first of which names them.
 * @throws TableError empty, missingColumn, columnTwice, tooManyRows
 */
export function pickColumns<Column extends string>(
  rows: Iterable<[line: number, cells: readonly string[]]>,
  { columns, maxRows, maxTextLength }: Wanted<Column>,
): Table<Column>["rows"] {
  let places: [Column, number][] | undefined;
  const picked: Table<Column>["rows"] = [];
  for (const [line, cells] of rows) {
    if (!places) {
      places = placesOf(cells, columns);
      continue;
    }
    if (picked.length === maxRows) throw new TableError("tooManyRows");
    const texts = places.map(([column, at]) => [column, (cells[at] ?? "").trim().slice(0, maxTextLength)]);
    picked.push({ line, ...(Object.fromEntries(texts) as Record<Column, string>) });
  }
  if (picked.length === 0) throw new TableError("empty");
  return picked;
}

function placesOf<Column extends string>(
  headers: readonly string[],
  columns: Readonly<Record<Column, readonly string[]>>,
): [Column, number][] {
  const named = headers.map((header) =>
    header
      .slice(0, 100)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]/gu, ""),
  );
  return (Object.keys(columns) as Column[]).map((column) => {
    const [at, another] = [...named.keys()].filter((index) => columns[column].includes(named[index] ?? ""));
    if (at === undefined) throw new TableError("missingColumn", { column });
    if (another !== undefined) throw new TableError("columnTwice", { column });
    return [column, at];
  });
}
