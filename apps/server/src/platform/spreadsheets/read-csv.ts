import { CsvError, parse } from "csv-parse/sync";
import type { RawSheet } from "./read-workbook.ts";
import { TableError } from "./table-error.ts";

const DELIMITERS = [",", ";", "\t", "|"] as const;
/** No cell of a spreadsheet has more than 32,767 characters. */
const MAX_RECORD_LENGTH = 1_000_000;

/**
 * Reads CSV, up to `maxRows` rows, as spreadsheet programs write it: UTF-8, UTF-16 or, in old ones, a Western European encoding; with
 * commas, or whichever separator is the most frequent in the first line.
 * @throws TableError
 */
export function readCsv(bytes: Buffer, maxRows: number): RawSheet {
  const text = decode(bytes);
  const rows: [number, string[]][] = [];
  try {
    parse(text, {
      delimiter: delimiterOf(text),
      // Files that were put together from others have several.
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
      max_record_size: MAX_RECORD_LENGTH,
      on_record: (cells: string[], { records }) => {
        if (cells.some((cell) => cell.trim() !== "")) rows.push([records, cells]);
        if (rows.length > maxRows) throw new TableError("tooManyRows");
        return null;
      },
    });
  } catch (cause) {
    if (cause instanceof TableError) throw cause;
    const isTooLarge = cause instanceof CsvError && cause.code === "CSV_MAX_RECORD_SIZE";
    throw new TableError(isTooLarge ? "tooLarge" : "unreadable", { cause });
  }
  return { name: "", others: 0, rows };
}

/** @throws TableError unreadable for what is no text */
function decode(bytes: Buffer): string {
  const text = new TextDecoder(encodingOf(bytes)).decode(bytes);
  if (text.includes("\0")) throw new TableError("unreadable");
  return text;
}

function encodingOf(bytes: Buffer): string {
  const [first, second] = bytes;
  // With a mark, or else by the zeros beside ASCII letters.
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return "utf-16be";
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return "utf-8";
  } catch {
    return "windows-1252";
  }
}

function delimiterOf(text: string): string {
  const [line = ""] = /\S.*/.exec(text.slice(0, MAX_RECORD_LENGTH)) ?? [];
  const bare = line.replaceAll(/"[^"]*"/g, "");
  const countOf = (delimiter: string) => bare.split(delimiter).length;
  return DELIMITERS.reduce((best, delimiter) => (countOf(delimiter) > countOf(best) ? delimiter : best));
}
