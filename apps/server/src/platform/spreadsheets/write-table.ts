import { utils, write } from "@e965/xlsx";
import { csvLine, csvMark } from "../csv.ts";
import type { TableKind } from "./table.ts";

/** The most that a sheet of an old Excel file can be called. */
const MAX_SHEET_NAME_LENGTH = 31;

/** Cells of a file: numbers, or text, which no program takes for a formula. */
export type Cells = readonly (readonly (string | number)[])[];

/** A file with one sheet. The first row names the columns. */
export function writeTable(kind: TableKind, name: string, rows: Cells): Uint8Array {
  if (kind === "csv") return Buffer.from(csvMark + rows.map((row) => csvLine(row.map(String))).join(""));
  const sheet = utils.aoa_to_sheet(rows.map((row) => [...row]));
  sheet["!cols"] = (rows[0] ?? []).map((_, column) => ({ wch: widthOf(rows, column) }));
  const book = utils.book_new();
  utils.book_append_sheet(book, sheet, name.slice(0, MAX_SHEET_NAME_LENGTH));
  return write(book, { type: "buffer", bookType: kind === "xls" ? "biff8" : "xlsx", compression: true }) as Uint8Array;
}

const [NARROWEST, WIDEST] = [8, 60];
const widthOf = (rows: Cells, column: number) =>
  rows.reduce((width, row) => Math.min(WIDEST, Math.max(width, String(row[column] ?? "").length + 2)), NARROWEST);
