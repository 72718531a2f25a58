import { TestClock } from "@terrarium/clock";
import { expect, it } from "vitest";
import { readPdf } from "../testing/read-pdf.ts";
import { Printer } from "./printer.ts";
import type { Printed, PrintedLine } from "./printed.ts";

const began_at = new Date("2026-01-05T00:00:00Z");
const invoice = (printedLines: number): Printed => ({
  number: "INV-000001",
  refunds: null,
  seller: { name: "Fern", address: null, contact: null, country: "FR", vatNumber: null },
  billTo: {
    name: "Moss",
    company_name: "",
    vat_number: "",
    email: null,
    address: { street: "a", additional_info: "", city: "b", state: null, postcode: "c", country: "DE" },
  },
  issuedAt: began_at,
  dueAt: began_at,
  periodBeganAt: began_at,
  periodEndedAt: began_at,
  currency: "USD",
  net: 5 * printedLines,
  tax: 0,
  amount: 5 * printedLines,
  taxRate: null,
  usageType: "metered",
  balanceUsed: 0,
  lineCount: printedLines,
  printedLines,
});
const line: PrintedLine = { description: "Pixel", began_at, ended_at: began_at, quantity: 1, price: 5, amount: 5 };
async function* batches(lines: number) {
  for (let left = lines; left > 0; left -= 1_000) yield Array.from({ length: Math.min(left, 1_000) }, () => line);
}

it("prints in a thread, while this one goes on", { timeout: 120_000 }, async () => {
  const printer = new Printer({ clock: new TestClock() });
  let beats = 0;
  const beat = setInterval(() => beats++, 5);
  const file = await printer.print("a", invoice(6_000), () => batches(6_000));
  clearInterval(beat);
  expect((await readPdf(file)).lines.filter((text) => text.startsWith("Pixel"))).toHaveLength(6_000);
  // In one piece, it would leave no time for any.
  expect(beats).toBeGreaterThan(20);
});

it("ends when its lines cannot be read, and prints the next", async () => {
  const printer = new Printer({ clock: new TestClock() });
  const broken = async function* (): AsyncGenerator<PrintedLine[]> {
    yield [line];
    throw new Error("the database is gone");
  };
  for (let time = 0; time < 3; time++)
    await expect(printer.print("a", invoice(2), broken)).rejects.toThrow("the database is gone");
  const file = await printer.print("a", invoice(1), () => batches(1));
  expect((await readPdf(file)).title).toBe("Invoice INV-000001");
});

it("gives up on what takes too long", async () => {
  const clock = new TestClock();
  const printer = new Printer({ clock });
  const { promise, resolve } = Promise.withResolvers<void>();
  const stuck = async function* (): AsyncGenerator<PrintedLine[]> {
    resolve();
    await new Promise(() => undefined);
    yield [line];
  };
  const print = printer.print("a", invoice(2), stuck).catch((error: unknown) => error);
  await promise;
  await clock.advance(120_000);
  expect(await print).toMatchObject({ reason: "tooMuch" });
});
