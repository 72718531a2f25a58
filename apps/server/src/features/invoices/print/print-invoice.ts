import { limits, taxShown } from "@terrarium/contract";
import Pdf from "pdfkit";
import { fileOf, isLatin, latin, type Weight } from "../../../platform/pdf/faces.ts";
import { type Line, plain, TextWriter } from "../../../platform/pdf/text-writer.ts";
import { eInvoice, Items } from "./e-invoice.ts";
import { facturX } from "./factur-x.ts";
import type { Printed, PrintedLine } from "./printed.ts";
import { vatNotes, vatOf } from "./vat.ts";
import { countryText, countText, dayText, minuteText, moneyText } from "./words.ts";

/** Where paper is of the size Letter; elsewhere it is A4. */
const letterCountries = new Set("BZ CA CL CO CR DO GT HN MX NI PA PH PR SV US VE".split(" "));
/** With more lines than this, screen readers get the lines of a page as one paragraph: a table would take ten times the memory. */
const TABLE_LINES = 2_000;

const [MARGIN, TOP, BOTTOM] = [48, 64, 60];
const [ROW, HEAD] = [15, 22];
const [INK, QUIET, RULE] = ["#13201A", "#5F6E67", "#C6D0CA"];
const SMALL = 8;
/** Room to the left of where a number ends. */
const NUMBER = 42;

/**
 * An invoice or credit note as PDF/A-3: tagged, with its fonts, the same each time it is made, and with an e-invoice for programs inside
 * where there can be one. It holds its lines no longer than they are written.
 * @returns the bytes of the file
 */
export async function printInvoice(invoice: Printed, batches: AsyncIterable<readonly PrintedLine[]>): Promise<Buffer> {
  const print = new Print(invoice);
  print.head();
  print.startTable();
  for await (const lines of batches) for (const line of lines) print.line(line);
  return print.end();
}

interface Column {
  title: string;
  /** From the left edge of the table to the left of its text, or to the right of a number. */
  at: number;
  isNumber?: true;
  cell: (line: PrintedLine) => string;
}

class Print {
  readonly #invoice: Printed;
  readonly #doc: InstanceType<typeof Pdf>;
  readonly #writer: TextWriter;
  readonly #parts: Buffer[] = [];
  readonly #root: PDFKit.PDFStructureElement;
  readonly #columns: readonly Column[];
  readonly #items = new Items();
  #table: PDFKit.PDFStructureElement | undefined;
  #y = TOP;
  #page = 0;
  #pages = 1;
  /** Rows for which there is room on this page. */
  #room = 0;
  #roomBelow = 0;

  constructor(invoice: Printed) {
    this.#invoice = invoice;
    const doc = new Pdf({
      size: letterCountries.has(invoice.billTo.address.country) ? "LETTER" : "A4",
      margin: 0,
      autoFirstPage: false,
      font: fileOf(latin, 400),
      pdfVersion: "1.7",
      subset: "PDF/A-3a",
      tagged: true,
      lang: "en",
      displayTitle: true,
      info: { Title: `${this.#title} ${invoice.number}`, CreationDate: invoice.issuedAt },
    });
    doc.on("data", (part: Buffer) => this.#parts.push(part));
    this.#doc = doc;
    this.#writer = new TextWriter(doc);
    this.#columns = columnsOf(invoice);
    this.#root = doc.struct("Document");
    doc.addStructure(this.#root);
    this.#addPage();
  }

  get #title(): string {
    return this.#invoice.refunds === null ? "Invoice" : "Credit note";
  }

  get #right(): number {
    return this.#doc.page.width - MARGIN;
  }

  /** All before the lines: who bills whom for what, and the totals. */
  head(): void {
    const invoice = this.#invoice;
    const { seller, billTo } = invoice;
    const middle = this.#doc.page.width / 2 + 16;
    const width = middle - MARGIN - 24;
    this.#tag("H1", this.#title, () => this.#write(this.#title, MARGIN, TOP + 14, { size: 22, weight: 700 }));
    this.#facts(middle, TOP + 4);
    this.#y = TOP + 42;
    const sellerLines = [
      seller.address ?? "",
      seller.contact ?? "",
      seller.vatNumber ? `VAT number ${seller.vatNumber}` : "",
    ];
    this.#block(seller.name, sellerLines, width);
    this.#y = Math.max(this.#y, TOP + 118) + 14;
    this.#tag("H2", "Billed to", () => this.#write("Billed to", MARGIN, this.#y, { size: SMALL, color: QUIET }));
    this.#y += 14;
    this.#block(billTo.company_name || billTo.name, addressOf(invoice), width);
    this.#y += 18;
    this.#totals(middle);
    for (const note of notesOf(invoice)) this.#paragraph(note, this.#right - MARGIN);
    this.#y += 14;
  }

  /** Number, days and period, as names and values. */
  #facts(x: number, top: number): void {
    const { number, refunds, issuedAt, dueAt, periodBeganAt, periodEndedAt } = this.#invoice;
    const facts = [
      ["Number", number],
      ["Date", dayText(issuedAt)],
      refunds === null ? ["Due", dayText(dueAt)] : ["For invoice", refunds],
      ["Period", `${dayText(periodBeganAt)} to ${dayText(periodEndedAt)}`],
    ] as const;
    for (const [index, [name, value]] of facts.entries())
      this.#pair(name, value, () => {
        this.#write(name, x, top + index * 15, { size: 9, color: QUIET });
        this.#write(value, x + 76, top + index * 15, { size: 9 });
      });
  }

  #block(name: string, lines: readonly string[], width: number): void {
    this.#paragraph(name, width, { size: 10, weight: 700, maxLines: 3 });
    for (const line of lines.filter(Boolean)) this.#paragraph(line, width, { size: 9, maxLines: 2 });
  }

  #totals(x: number): void {
    const { net, tax, amount, taxRate, currency, refunds } = this.#invoice;
    const rate = taxRate && taxRate.percentage > 0 ? ` (${taxShown(taxRate)})` : "";
    const rows = [
      ["Net", net, 400],
      [`Tax${rate}`, tax, 400],
      [refunds === null ? "Total" : "Total paid back", amount, 700],
    ] as const;
    for (const [name, cents, weight] of rows) {
      if (weight === 700) this.#artifact(() => this.#rule(x, this.#y - 12));
      const size = weight === 700 ? 11 : 9;
      const value = moneyText(cents, currency);
      this.#pair(name, value, () => {
        this.#write(name, x, this.#y, { size, weight, width: 150 });
        this.#writeRight(value, this.#right, this.#y, { size, weight });
      });
      this.#y += 17;
    }
    this.#y += 6;
  }

  startTable(): void {
    const { printedLines } = this.#invoice;
    const roomFrom = (top: number) => Math.floor((this.#doc.page.height - BOTTOM - top - HEAD) / ROW);
    this.#room = Math.max(0, roomFrom(this.#y));
    this.#roomBelow = roomFrom(TOP);
    // One row is the sum.
    this.#pages = 1 + Math.ceil(Math.max(0, printedLines + 1 - this.#room) / this.#roomBelow);
    const titles = this.#columns.map(({ title }) => title);
    if (printedLines <= TABLE_LINES) {
      const table = this.#doc.struct("Table");
      this.#table = table;
      this.#root.add(table);
      this.#tableRow("TH", titles, QUIET);
    } else this.#tag("P", titles.join(", "), () => this.#cells(titles, QUIET));
    this.#artifact(() => this.#endTitles());
    this.#beginRows();
  }

  line(line: PrintedLine): void {
    this.#items.add(line);
    this.#nextRow(this.#columns.map(({ cell }) => cell(line)));
  }

  async end(): Promise<Buffer> {
    const invoice = this.#invoice;
    const { lineCount, printedLines } = invoice;
    const rest = lineCount - printedLines;
    const sum =
      rest > 0
        ? `${countText(rest)} more lines are in the file of its lines`
        : `${countText(lineCount)} ${lineCount === 1 ? "line" : "lines"}`;
    const empty = this.#columns.slice(2).map(() => "");
    this.#nextRow([sum, ...empty, moneyText(rest > 0 ? invoice.net : this.#items.sum, invoice.currency)], 700);
    this.#endRows();
    this.#foot();
    const xml = eInvoice(invoice, this.#items);
    if (xml !== null) facturX(this.#doc, xml, invoice.issuedAt);
    this.#table?.end();
    this.#root.end();
    const ended = new Promise((resolve) => this.#doc.once("end", resolve));
    this.#doc.end();
    await ended;
    return Buffer.concat(this.#parts);
  }

  #nextRow(cells: readonly string[], weight: Weight = 400): void {
    if (this.#room <= 0) {
      this.#endRows();
      this.#foot();
      this.#addPage();
      // What the columns are is said once to screen readers.
      this.#artifact(() => {
        this.#cells(
          this.#columns.map(({ title }) => title),
          QUIET,
        );
        this.#endTitles();
      });
      this.#room = this.#roomBelow;
      this.#beginRows();
    }
    this.#room--;
    if (this.#table) this.#tableRow("TD", cells, INK, weight);
    else this.#cells(cells, INK, weight);
    this.#y += ROW;
  }

  #endTitles(): void {
    this.#y += HEAD;
    this.#rule(MARGIN, this.#y - 5);
  }

  #tableRow(type: "TH" | "TD", cells: readonly string[], color: string, weight?: Weight): void {
    const row = this.#doc.struct("TR");
    this.#table?.add(row);
    for (const [index, text] of cells.entries()) {
      const options = { ...actual(text), ...(type === "TH" && { scope: "Column" as const }) };
      row.add(this.#doc.struct(type, options, () => this.#cell(index, cells, color, weight)));
    }
    row.end();
  }

  #cells(cells: readonly string[], color: string, weight?: Weight): void {
    for (const index of cells.keys()) this.#cell(index, cells, color, weight);
  }

  #cell(index: number, cells: readonly string[], color: string, weight: Weight = 400): void {
    const { at = 0, isNumber } = this.#columns[index] ?? {};
    const text = cells[index] ?? "";
    const y = this.#y + ROW - 5;
    if (isNumber) this.#writeRight(text, MARGIN + at, y, { size: SMALL, weight, color });
    else this.#write(text, MARGIN + at, y, { size: SMALL, weight, color, width: this.#widthOf(index, cells) });
  }

  /** Text of the first column reaches over those beside it that are empty. */
  #widthOf(index: number, cells: readonly string[]): number {
    const next = this.#columns.findIndex((_, place) => place > index && cells[place] !== "");
    const { at = this.#right, isNumber } = this.#columns[next] ?? {};
    return at - (this.#columns[index]?.at ?? 0) - (isNumber ? NUMBER : 8);
  }

  /** Without a table, the rows of a page are one paragraph. */
  #beginRows(): void {
    if (this.#table) return;
    this.#root.add(this.#doc.struct("P", {}, [this.#doc.markStructureContent("P")]));
  }

  #endRows(): void {
    if (!this.#table) this.#doc.endMarkedContent();
  }

  #foot(): void {
    const y = this.#doc.page.height - BOTTOM / 2;
    this.#artifact(() => {
      this.#write(`${this.#title} ${this.#invoice.number}`, MARGIN, y, { size: SMALL, color: QUIET });
      this.#writeRight(`Page ${this.#page} of ${this.#pages}`, this.#right, y, { size: SMALL, color: QUIET });
    });
  }

  #addPage(): void {
    this.#doc.addPage();
    this.#page++;
    this.#y = TOP;
  }

  #paragraph(
    text: string,
    width: number,
    { size = 9, weight = 400, maxLines = 4 }: { size?: number; weight?: Weight; maxLines?: number } = {},
  ): void {
    this.#tag("P", text, () => {
      for (const line of this.#writer.lines(text, { size, weight }, width, maxLines)) {
        this.#doc.fillColor(INK);
        this.#writer.write(line, MARGIN, this.#y);
        this.#y += size * 1.45;
      }
    });
  }

  #write(text: string, x: number, y: number, { size, weight = 400, color = INK, width }: Words): void {
    this.#put(this.#writer.line(text, { size, weight }, width), x, y, color);
  }

  #writeRight(text: string, right: number, y: number, { size, weight = 400, color = INK }: Words): void {
    const line = this.#writer.line(text, { size, weight });
    this.#put(line, right - line.width, y, color);
  }

  #put(line: Line, x: number, y: number, color: string): void {
    this.#doc.fillColor(color);
    this.#writer.write(line, x, y);
  }

  #rule(x: number, y: number): void {
    this.#doc.moveTo(x, y).lineTo(this.#right, y).lineWidth(0.5).strokeColor(RULE).stroke();
  }

  /** Part of the text; `said` where that is not what the pieces say one after the other. */
  #tag(type: string, text: string, draw: () => void, said = actual(text)): void {
    this.#root.add(this.#doc.struct(type, said, draw));
  }

  #pair(name: string, value: string, draw: () => void): void {
    this.#tag("P", name, draw, { actual: `${name}: ${value}` });
  }

  #artifact(draw: () => void): void {
    this.#doc.markContent("Artifact", { type: "Layout" });
    draw();
    this.#doc.endMarkedContent();
  }
}

interface Words {
  size: number;
  weight?: Weight;
  color?: string;
  width?: number;
}

/** The text for screen readers and searches, where it cannot be worked out from the shapes of the letters. */
function actual(text: string): { actual?: string } {
  const shown = plain(text);
  return isLatin(shown) ? {} : { actual: shown };
}

function columnsOf({ usageType, refunds, currency, billTo }: Printed): Column[] {
  const money = (cents: number) => moneyText(cents, currency);
  const width = letterCountries.has(billTo.address.country) ? 516 : 499;
  const isMetered = usageType === "metered" && refunds === null;
  const time = isMetered ? minuteText : dayText;
  return [
    { title: isMetered ? "Recipe" : "Description", at: 0, cell: ({ description }) => description },
    { title: isMetered ? "Start (UTC)" : "From", at: width * 0.4, cell: ({ began_at }) => time(began_at) },
    { title: isMetered ? "End (UTC)" : "To", at: width * 0.56, cell: ({ ended_at }) => time(ended_at) },
    {
      title: isMetered ? "Minutes" : "Quantity",
      at: width * 0.79,
      isNumber: true,
      cell: ({ quantity }) => countText(quantity),
    },
    { title: "Price", at: width * 0.89, isNumber: true, cell: ({ price }) => money(price) },
    { title: "Amount", at: width, isNumber: true, cell: ({ amount }) => money(amount) },
  ];
}

/** The lines of a postal address, with what identifies a business below. */
function addressOf({ billTo: { name, company_name, vat_number, address } }: Printed): string[] {
  const { street, additional_info, city, state, postcode, country } = address;
  const place = letterCountries.has(country)
    ? `${city}${state ? `, ${state}` : ""} ${postcode}`
    : `${postcode} ${city}${state ? `, ${state}` : ""}`;
  return [
    company_name !== "" && company_name !== name ? name : "",
    street,
    additional_info,
    place,
    countryText(country),
    vat_number === "" ? "" : `VAT number ${vat_number}`,
  ];
}

function notesOf(invoice: Printed): string[] {
  const { balanceUsed, refunds, lineCount, printedLines } = invoice;
  return [
    vatNotes[vatOf(invoice)] ?? "",
    balanceUsed > 0 ? `${countText(balanceUsed)} free minutes of the balance were used and are not charged.` : "",
    refunds === null ? LATE : `This credit note refers to invoice ${refunds}.`,
    lineCount > printedLines ? `The first ${countText(limits.invoiceLinesPrinted)} lines are listed.` : "",
  ].filter(Boolean);
}

/** As the terms say it. */
const LATE =
  "Late payment: a yearly penalty of 10 percentage points above the French legal interest rate; businesses also owe a fixed indemnity of €40.";
