import type { Currency } from "@terrarium/contract";
import type { InvoiceRow } from "../invoices.store.ts";

/** Whoever issues invoices, as they have to be named. */
export interface Seller {
  name: string;
  /** In one line. */
  address: string | null;
  contact: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string;
  vatNumber: string | null;
}

/** What a PDF says of an invoice or credit note, but for its lines. */
export interface Printed {
  number: string;
  /** Of the invoice that a credit note pays back. */
  refunds: string | null;
  seller: Seller;
  billTo: InvoiceRow["bill_to"];
  issuedAt: Date;
  dueAt: Date;
  periodBeganAt: Date;
  periodEndedAt: Date;
  currency: Currency;
  net: number;
  tax: number;
  amount: number;
  taxRate: InvoiceRow["tax_rate"];
  usageType: "metered" | "licensed";
  balanceUsed: number;
  /** Of those that there are, `printedLines` are printed. */
  lineCount: number;
  printedLines: number;
}

export interface PrintedLine {
  description: string;
  began_at: Date;
  ended_at: Date;
  quantity: number;
  price: number;
  amount: number;
}
