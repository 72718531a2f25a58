import { CFB, type CellObject, read, type WorkBook } from "@e965/xlsx";
import { TableError } from "./table-error.ts";
import { unzip } from "./unzip.ts";

/** The first sheet of a workbook: its rows by their numbers, from 1, those that are blank left out. */
export interface RawSheet {
  name: string;
  /** How many sheets there are besides. */
  others: number;
  rows: Iterable<[line: number, cells: string[]]>;
}

const ZIP = Buffer.from("PK\u0003\u0004");
const COMPOUND_FILE = Buffer.from("d0cf11e0a1b11ae1", "hex");
/** Unpacked; a sheet of 5,000 lines and 50 columns has some 12 MB. */
const MAX_UNPACKED_BYTES = 64 * 1024 ** 2;
const MAX_ENTRIES = 2_000;

/** The library of the format, as far as it is untyped. */
interface Packages {
  utils: { cfb_new(): object; cfb_add(file: object, name: string, content: Buffer): void };
  write(file: object, options: { fileType: "zip"; type: "buffer" }): Buffer;
}
const packages = CFB as Packages;

/** Reads an xls file, of Excel 97 to 2003. */
export function readXls(bytes: Buffer): RawSheet {
  if (!startsWith(bytes, COMPOUND_FILE)) throw new TableError("unreadable");
  return sheetOf(bytes);
}

/**
 * Reads an xlsx file. The library gets a package of those parts that were checked, so it unpacks nothing itself. Macros and declarations
 * of XML entities, which no spreadsheet program writes into an xlsx file, are refused.
 */
export function readXlsx(bytes: Buffer): RawSheet {
  if (!startsWith(bytes, ZIP)) throw new TableError("unreadable");
  const limits = { maxEntries: MAX_ENTRIES, maxBytes: MAX_UNPACKED_BYTES };
  const parts = unzip(bytes, (name) => /(\.(xml|rels)|vbaProject\.bin)$/i.test(name), limits);
  const names = [...parts.keys()];
  if (!parts.has("xl/workbook.xml") || names.some((name) => /vbaProject\.bin$/i.test(name)))
    throw new TableError("unreadable");
  const checked = packages.utils.cfb_new();
  for (const [name, content] of parts) {
    if (content.includes("<!DOCTYPE") || content.includes("<!ENTITY")) throw new TableError("unreadable");
    packages.utils.cfb_add(checked, name, content);
  }
  return sheetOf(packages.write(checked, { fileType: "zip", type: "buffer" }));
}

const startsWith = (bytes: Buffer, magic: Buffer) => bytes.subarray(0, magic.length).equals(magic);

function sheetOf(bytes: Buffer): RawSheet {
  let book: WorkBook;
  try {
    // Formulas are not read, only their values from when the file was saved.
    book = read(bytes, { type: "buffer", dense: true, sheets: 0, cellFormula: false, cellHTML: false });
  } catch (cause) {
    throw new TableError("unreadable", { cause });
  }
  const [name = ""] = book.SheetNames;
  return { name, others: book.SheetNames.length - 1, rows: rowsOf(book.Sheets[name]?.["!data"] ?? []) };
}

/** Only rows that are there: a sheet can claim a million, and columns without end. */
function* rowsOf(rows: readonly (CellObject[] | undefined)[]): Generator<[number, string[]]> {
  for (const [index, row] of rows.entries()) {
    const cells = Array.from(row ?? [], (cell) => (cell ? (cell.w ?? String(cell.v ?? "")) : ""));
    if (cells.some((cell) => cell.trim() !== "")) yield [index + 1, cells];
  }
}
