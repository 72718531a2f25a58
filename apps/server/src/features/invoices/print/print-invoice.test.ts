import { describe, expect, it } from "vitest";
import { EXEMPT, REVERSE_CHARGE } from "@terrarium/contract";
import { NO_TAX } from "../../payments/tax.ts";
import { readPdf } from "../testing/read-pdf.ts";
import { printInvoice } from "./print-invoice.ts";
import type { Printed, PrintedLine } from "./printed.ts";
import { moneyText } from "./words.ts";

const at = (minutes: number) => new Date(Date.UTC(2026, 0, 5) + minutes * 60_000);

interface Fields extends Partial<Omit<Printed, "billTo" | "seller">> {
  billTo?: Partial<Printed["billTo"]>;
  seller?: Partial<Printed["seller"]>;
  country?: string;
}

/** An invoice to a business in Berlin from one in Lyon, whose totals are those of its lines. */
function anInvoice(lines: readonly PrintedLine[], { billTo, seller, country = "DE", ...fields }: Fields = {}): Printed {
  const net = lines.reduce((sum, { amount }) => sum + amount, 0);
  const tax = Math.round((net * (fields.taxRate?.percentage ?? 0)) / 100);
  return {
    number: "INV-000042",
    refunds: null,
    seller: {
      name: "Fern & Glass SAS",
      address: "12 rue des Serres, 69002 Lyon, France",
      contact: "bills@fern.test",
      country: "FR",
      vatNumber: "FR40303265045",
      ...seller,
    },
    billTo: {
      name: "Moss",
      company_name: "Moss GmbH",
      vat_number: "DE136695976",
      email: null,
      address: { street: "Glasweg 5", additional_info: "", city: "Berlin", state: null, postcode: "10115", country },
      ...billTo,
    },
    issuedAt: at(10_080),
    dueAt: at(53_280),
    periodBeganAt: at(0),
    periodEndedAt: at(10_080),
    currency: "EUR",
    net,
    tax,
    amount: net + tax,
    taxRate: null,
    usageType: "metered",
    balanceUsed: 0,
    lineCount: lines.length,
    printedLines: lines.length,
    ...fields,
  };
}

const someLines = (count: number, { description = "Pixel 7", price = 5 } = {}): PrintedLine[] =>
  Array.from({ length: count }, (_, index) => {
    const quantity = (index % 90) + 1;
    const began_at = at(index);
    return { description, began_at, ended_at: at(index + quantity), quantity, price, amount: quantity * price };
  });

async function* inBatches(lines: readonly PrintedLine[]) {
  for (let from = 0; from < lines.length; from += 1_000) yield lines.slice(from, from + 1_000);
}

async function printed(lines: readonly PrintedLine[], fields: Fields = {}) {
  const invoice = anInvoice(lines, fields);
  const bytes = await printInvoice(invoice, inBatches(lines));
  return { bytes, invoice, ...(await readPdf(bytes)) };
}

const [vat, reverseCharge, noTax, exempt] = [
  { display_name: "VAT", jurisdiction: "DE", percentage: 19 },
  { display_name: REVERSE_CHARGE, jurisdiction: "DE", percentage: 0 },
  { display_name: NO_TAX, jurisdiction: "US", percentage: 0 },
  { display_name: EXEMPT, jurisdiction: "DE", percentage: 0 },
];

const cents = (text = "") => Math.round(Number(text.replaceAll(/[€$,]/g, "")) * 100);
const rowsOf = (lines: readonly string[]) => lines.filter((line) => line.startsWith("Pixel 7 | 2026"));
const lastCell = (line: string | undefined) => line?.split(" | ").at(-1);

describe("the PDF of an invoice", () => {
  it("adds up: its lines to the net, and that and the tax to the total", async () => {
    const { lines } = await printed(someLines(120), {
      taxRate: vat,
    });
    const rows = rowsOf(lines);
    const sum = rows.reduce((all, row) => all + cents(lastCell(row)), 0);
    const valueOf = (name: string) => cents(lastCell(lines.find((line) => line.startsWith(name))));
    expect(rows).toHaveLength(120);
    expect([valueOf("Net"), valueOf("120 lines")]).toEqual([sum, sum]);
    expect(valueOf("Net") + valueOf("Tax (19% VAT DE)")).toBe(valueOf("Total"));
    expect(valueOf("Total")).toBe(sum + Math.round(sum * 0.19));
  });

  it("breaks into pages, each with the names of the columns and its number", async () => {
    const { pages } = await printed(someLines(150));
    expect(pages.length).toBeGreaterThan(3);
    for (const [index, { lines }] of pages.entries()) {
      expect(lines).toContain("Recipe | Start (UTC) | End (UTC) | Minutes | Price | Amount");
      expect(lines.at(-1)).toBe(`Invoice INV-000042 | Page ${index + 1} of ${pages.length}`);
    }
    expect(rowsOf(pages.flatMap(({ lines }) => lines))).toHaveLength(150);
  });

  it.each([0, 1, 20, 21, 22, 23, 68, 69, 70, 71, 72])(
    "says how many pages it has, with %i lines too",
    async (count) => {
      const { pages } = await printed(someLines(count));
      expect(pages.at(-1)?.lines.at(-1)).toBe(`Invoice INV-000042 | Page ${pages.length} of ${pages.length}`);
    },
  );

  it.each([
    ["DE", 595, 842],
    ["JP", 595, 842],
    ["US", 612, 792],
    ["CA", 612, 792],
    ["MX", 612, 792],
  ])("is of the paper that %s has", async (country, width, height) => {
    const { pages } = await printed(someLines(1), { country });
    expect(pages[0]).toMatchObject({ width, height });
  });

  it("is tagged, archivable, titled, and the same each time", async () => {
    const { isTagged, title, bytes, tree, invoice } = await printed(someLines(2));
    expect([isTagged, title]).toEqual([true, "Invoice INV-000042"]);
    const text = bytes.toString("latin1");
    expect(text).toContain("<pdfaid:part>3</pdfaid:part>");
    expect(text).toMatch(/\/Lang \(en\)/);
    const roles = JSON.stringify(tree);
    for (const role of ["H1", "H2", "Table", "TR", "TH", "TD"]) expect(roles).toContain(`"role":"${role}"`);
    expect((await printInvoice(invoice, inBatches(someLines(2)))).equals(bytes)).toBe(true);
  });

  it.each([
    ["reverse charge", { taxRate: reverseCharge }, /^Reverse charge: VAT is to be accounted for by the customer/],
    ["agreed exemption", { taxRate: exempt }, /^Exempt from VAT\./],
    ["outside of the EU", { country: "US", taxRate: noTax }, /^Not subject to EU VAT/],
    ["taxed", { taxRate: vat }, undefined],
    ["with no rate that is known", {}, undefined],
    ["from elsewhere", { seller: { country: "US" }, taxRate: noTax }, undefined],
  ])("says how it stands with VAT: %s", async (_, fields: Fields, words) => {
    const { lines } = await printed(someLines(1), fields);
    const notes = lines.filter((line) => /VAT is to be|EU VAT|Exempt/.test(line));
    expect(notes.join("|")).toMatch(words ?? /^$/);
  });

  it("says how many minutes were free", async () => {
    const { lines } = await printed(someLines(1), { balanceUsed: 1_060 });
    expect(lines).toContain("1,060 free minutes of the balance were used and are not charged.");
  });

  it("is a credit note where it pays back, with amounts below zero", async () => {
    const { lines, title } = await printed(someLines(1, { price: -5 }), { refunds: "INV-000041" });
    expect(title).toBe("Credit note INV-000042");
    expect(lines.join("\n")).toContain("Credit note");
    expect(lines).toContain("This credit note refers to invoice INV-000041.");
    expect(lines).toContain("Total paid back | -€0.05");
  });

  it.each([
    ["Latin", "Ærø Öl"],
    ["Polish", "Zażółć Łódź"],
    ["Greek and Cyrillic", "Ελληνική ООО"],
    ["Chinese", "玻璃有限公司"],
    ["Japanese", "株式会社ガラス"],
    ["Korean", "주식회사유리"],
    ["Thai", "บริษัทกระจก"],
    ["Hebrew", "חברת"],
    ["Arabic", "شركة"],
  ])("has letters for names in %s", async (_, name) => {
    const { lines, tree } = await printed(someLines(1, { description: name }), { billTo: { company_name: name } });
    expect(lines.join("\n")).not.toContain("?");
    // What a screen reader says does not depend on how the shapes are put together.
    const isLatin = /^[\u0020-\u00ff]*$/.test(name);
    expect(JSON.stringify(tree).split(`"alt":"${name}"`)).toHaveLength(isLatin ? 1 : 3);
  });

  it("takes names that mean harm for text, however long they are", async () => {
    const evil = "`)Tj ET endstream /JS (app.alert(1)) /OpenAction <script>alert(1)</script>\r\n\0\u202e".repeat(140);
    const address = { street: evil, additional_info: evil, city: evil, state: evil, postcode: evil, country: "DE" };
    const { bytes, lines, scripts, opens, pages, attached } = await printed(someLines(30, { description: evil }), {
      taxRate: reverseCharge,
      billTo: { name: evil, company_name: evil, vat_number: evil, email: null, address },
      seller: { name: evil, address: evil },
    });
    expect([scripts, opens]).toEqual([null, null]);
    expect(bytes.toString("latin1")).not.toMatch(/\/(JS|JavaScript|OpenAction|AA|Launch)\b/);
    expect(lines.join("\n")).toContain("`)Tj ET endstream /JS");
    expect(pages.length).toBeLessThan(5);
    expect(attached["factur-x.xml"]).not.toContain("<script>");
  });
});

describe("the e-invoice in it", () => {
  const itemsOf = (xml = "") => [...xml.matchAll(/<ram:LineTotalAmount>([^<]*)/g)].map(([, amount]) => amount);

  it("adds up lines of one recipe, and says the same as the paper", async () => {
    const lines = [...someLines(3), ...someLines(1, { description: "Watch <1>" })];
    const { attached, invoice } = await printed(lines, {
      taxRate: vat,
    });
    const xml = attached["factur-x.xml"] ?? "";
    expect(itemsOf(xml)).toEqual(["0.30", "0.05", "0.35"]);
    expect(xml).toContain("<ram:Name>Watch &lt;1&gt;</ram:Name>");
    expect(xml).toContain('<ram:BilledQuantity unitCode="MIN">6</ram:BilledQuantity>');
    expect(xml).toContain("<ram:CategoryCode>S</ram:CategoryCode><ram:RateApplicablePercent>19</");
    expect(xml).toContain(`<ram:GrandTotalAmount>${moneyText(invoice.amount, "EUR").slice(1)}</`);
    expect(xml).toContain("<ram:TypeCode>380</ram:TypeCode>");
  });

  it("names the reason where the customer accounts for VAT", async () => {
    const { attached } = await printed(someLines(1), { taxRate: reverseCharge });
    const xml = attached["factur-x.xml"] ?? "";
    expect(xml).toContain("<ram:ExemptionReasonCode>VATEX-EU-AE</ram:ExemptionReasonCode>");
    expect(xml).toContain('<ram:ID schemeID="VA">DE136695976</ram:ID>');
  });

  it("says that it is exempt, with a reason and a rate of nothing", async () => {
    const { attached } = await printed(someLines(1), { taxRate: exempt });
    const xml = attached["factur-x.xml"] ?? "";
    expect(xml).toContain("<ram:ExemptionReason>Exempt from VAT.</ram:ExemptionReason>");
    expect(xml).toContain("<ram:CategoryCode>E</ram:CategoryCode><ram:RateApplicablePercent>0<");
    expect(xml).not.toContain("ExemptionReasonCode");
  });

  it("names no VAT numbers where the service is supplied outside", async () => {
    const { attached } = await printed(someLines(1), { country: "US", taxRate: noTax });
    const xml = attached["factur-x.xml"] ?? "";
    expect([xml.includes("VATEX-EU-O"), xml.includes('schemeID="VA"')]).toEqual([true, false]);
  });

  it("says of a credit note what is paid back, without a sign", async () => {
    const { attached } = await printed(someLines(2, { price: -5 }), {
      refunds: "INV-000041",
      taxRate: reverseCharge,
    });
    const xml = attached["factur-x.xml"] ?? "";
    expect(xml).toContain("<ram:TypeCode>381</ram:TypeCode>");
    expect([...new Set(itemsOf(xml))]).toEqual(["0.15"]);
    expect(xml).toContain("<ram:IssuerAssignedID>INV-000041</ram:IssuerAssignedID>");
    expect(xml).not.toMatch(/>-/);
  });

  it("makes one item of very many recipes", async () => {
    const lines = someLines(1_100).map((line, index) => ({ ...line, description: `Recipe ${index}` }));
    const { attached, invoice } = await printed(lines, { taxRate: reverseCharge });
    expect(itemsOf(attached["factur-x.xml"])).toEqual(Array(2).fill((invoice.net / 100).toFixed(2)));
  });

  it.each([
    ["the seller's VAT number is not known", { seller: { vatNumber: null } }],
    ["nothing says why there is no VAT", { taxRate: null }],
    ["not every line is printed", { lineCount: 9, net: 900, amount: 900 }],
  ])("is not there where %s", async (_, fields: Fields) => {
    const { attached } = await printed(someLines(1), { taxRate: reverseCharge, ...fields });
    expect(attached).toEqual({});
  });
});

describe("an invoice with more lines than a table can hold", () => {
  it("has them all, as one paragraph a page", { timeout: 60_000 }, async () => {
    const { pages, lines, tree } = await printed(someLines(2_500));
    expect(rowsOf(lines)).toHaveLength(2_500);
    expect(pages.length).toBeGreaterThan(50);
    expect(JSON.stringify(tree)).not.toContain('"role":"TR"');
  });

  it("says how many are left out of those that are not printed", async () => {
    const { lines } = await printed(someLines(5), { lineCount: 60_000, net: 300_000, amount: 300_000 });
    expect(lines).toContain("59,995 more lines are in the file of its lines | €3,000.00");
  });
});
