import { zipped } from "./zip.ts";

/** Text, a number, or nothing. A `{ time }` is a local time such as "2026-03-05 14:07:09", which cells have without a zone. */
export type Cell = string | number | null | { time: string };

const DAY_MS = 24 * 60 * 60 * 1000;
/** 1970-01-01, counted in days as cells do. */
const EPOCH = 25_569;
/** The most that a cell holds, with room for characters that count twice. */
const TEXT_LENGTH = 16_000;
const SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";
const XML = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n`;

/**
 * A spreadsheet of one sheet with a head that stays in sight (XLSX, ISO/IEC 29500), written as fast as it is read: of its rows, at most
 * 1,048,576 with the head, it holds one part at a time. Text is text, even where it looks like a formula.
 */
export const writeXlsx = (
  sheet: string,
  columns: readonly { title: string; width: number }[],
  parts: AsyncIterable<readonly (readonly Cell[])[]>,
): AsyncGenerator<Uint8Array> =>
  zipped([
    { name: "[Content_Types].xml", content: [contentTypes] },
    { name: "_rels/.rels", content: [relations("officeDocument", "xl/workbook.xml")] },
    {
      name: "xl/workbook.xml",
      content: [
        `${XML}<workbook xmlns="${SHEETS}" xmlns:r="${OFFICE}"><sheets><sheet name="${escaped(sheet)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      ],
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      content: [relations("worksheet", "worksheets/sheet1.xml", "styles", "styles.xml")],
    },
    { name: "xl/styles.xml", content: [styles] },
    { name: "xl/worksheets/sheet1.xml", content: sheetOf(columns, parts) },
  ]);

async function* sheetOf(
  columns: readonly { title: string; width: number }[],
  parts: AsyncIterable<readonly (readonly Cell[])[]>,
): AsyncGenerator<string> {
  const pane = `<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>`;
  const widths = columns.map(
    ({ width }, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  );
  yield `${XML}<worksheet xmlns="${SHEETS}"><sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews><cols>${widths.join("")}</cols><sheetData>`;
  yield rowOf(columns.map(({ title }) => title));
  for await (const rows of parts) yield rows.map(rowOf).join("");
  yield `</sheetData></worksheet>`;
}

const rowOf = (cells: readonly Cell[]): string => `<row>${cells.map(cellOf).join("")}</row>`;

function cellOf(cell: Cell): string {
  if (cell === null) return `<c/>`;
  if (typeof cell === "number") return `<c><v>${cell}</v></c>`;
  if (typeof cell === "string")
    return `<c t="inlineStr"><is><t xml:space="preserve">${escaped(cell.slice(0, TEXT_LENGTH))}</t></is></c>`;
  return `<c s="1"><v>${Date.parse(`${cell.time.replace(" ", "T")}Z`) / DAY_MS + EPOCH}</v></c>`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
/** XML has no way to write other control characters, halves of characters and two others. `_x0041_` stands for an A in cells. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/_(?=x[\da-f]{4}_)/gi, "_x005F_")
    .replaceAll(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, "\ufffd")
    .replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign);

const relations = (...targets: string[]): string => {
  const each = [];
  for (let index = 0; index < targets.length; index += 2)
    each.push(
      `<Relationship Id="rId${index / 2 + 1}" Type="${OFFICE}/${targets[index]}" Target="${targets[index + 1]}"/>`,
    );
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${each.join("")}</Relationships>`;
};

const contentTypes = `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`;

/** Beside the plain style one for times. */
const styles = `${XML}<styleSheet xmlns="${SHEETS}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`;
