import { utils, type WorkSheet, write } from "@e965/xlsx";
import { crc32, deflateRawSync } from "node:zlib";

type Cell = string | number | boolean | Date | null;

/** A file as a spreadsheet program writes it, with these sheets. */
export function aWorkbook(kind: "xls" | "xlsx", sheets: Record<string, Cell[][] | WorkSheet>): Buffer {
  const book = utils.book_new();
  for (const [name, rows] of Object.entries(sheets))
    utils.book_append_sheet(book, Array.isArray(rows) ? utils.aoa_to_sheet(rows) : rows, name);
  return write(book, { type: "buffer", bookType: kind === "xls" ? "biff8" : "xlsx" }) as Buffer;
}

interface Part {
  name: string;
  content: Uint8Array | string;
  /** What the directory says of its size, and of its checksum, if not the truth. */
  size?: number;
  crc?: number;
  method?: number;
  flags?: number;
  attributes?: number;
  /** Where it is said to be. */
  offset?: number;
}

/** A ZIP file, written by hand so that it can lie. */
export function aZip(parts: readonly Part[], { count = parts.length }: { count?: number } = {}): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, content, method = 8, flags = 0, attributes = 0, ...lies } of parts) {
    const bytes = Buffer.from(content as string);
    const data = method === 8 ? deflateRawSync(bytes) : bytes;
    const { size = bytes.length, crc = crc32(bytes), offset = at } = lies;
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(crc, 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(size, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), common, Buffer.from(name), data]);
    const more = Buffer.alloc(14);
    more.writeUInt32LE(attributes, 6);
    more.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.concat([Buffer.from("PK\u0001\u0002"), Buffer.from([20, 3]), common, more, Buffer.from(name)]),
    );
    locals.push(local);
    at += local.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(
    directory.reduce((sum, { length }) => sum + length, 0),
    8,
  );
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...locals, ...directory, Buffer.from("PK\u0005\u0006"), end]);
}

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const types = "application/vnd.openxmlformats-officedocument.spreadsheetml";
const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** The parts of an xlsx file whose only sheet is this XML. */
export const anXlsx = (sheet: string, more: readonly Part[] = []): Part[] => [
  {
    name: "[Content_Types].xml",
    content: `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/></Types>`,
  },
  {
    name: "_rels/.rels",
    content: `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  },
  {
    name: "xl/workbook.xml",
    content: `${xml}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${relations}"><sheets><sheet name="People" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  },
  {
    name: "xl/_rels/workbook.xml.rels",
    content: `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  },
  { name: "xl/worksheets/sheet1.xml", content: `${xml}${sheet}` },
  ...more,
];

/** A sheet of texts, as XML. */
export const sheetXml = (rows: readonly (readonly string[])[], head = "") =>
  `${head}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows
    .map(
      (row, index) =>
        `<row r="${index + 1}">${row
          .map((text, at) => `<c r="${"ABCD"[at]}${index + 1}" t="inlineStr"><is><t>${text}</t></is></c>`)
          .join("")}</row>`,
    )
    .join("")}</sheetData></worksheet>`;
