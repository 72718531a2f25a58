import type { InvoiceState } from "@terrarium/contract";
import { type Insertable, sql } from "kysely";
import { randomUUID } from "node:crypto";
import type { Database, Schema } from "../../../database/schema.ts";

type Fields = Partial<Insertable<Schema["invoices"]>>;

export interface InvoiceOptions extends Omit<Fields, "bill_to" | "tax_rate"> {
  bill_to?: object;
  tax_rate?: object | null;
  /** What became of it, the oldest first. */
  statuses?: readonly InvoiceState[];
  /** Of how many minutes each line is, at 5 cents. */
  minutes?: readonly number[];
}

async function nextNumber(db: Database): Promise<number> {
  const { rows } = await sql<{ last: number }>`UPDATE invoice_numbers SET last = last + 1 RETURNING last`.execute(db);
  return rows[0]?.last ?? 0;
}

const MINUTE_MS = 60_000;
const BEGAN = new Date("2026-01-05T00:00:00Z");
const ENDED = new Date("2026-01-12T00:00:00Z");

export const billTo = {
  name: "Fernworks",
  company_name: "Fernworks GmbH",
  vat_number: "",
  email: null,
  address: {
    street: "Glasweg 5",
    additional_info: "",
    city: "Berlin",
    state: null,
    postcode: "10115",
    country: "DE",
  },
};

/** Writes an invoice of an organization with its lines; what is not said is that of a week's use. Returns its uuid. */
export async function anInvoice(
  db: Database,
  organization_uuid: string,
  { statuses = ["PENDING"], minutes = [60], bill_to = billTo, tax_rate = null, ...fields }: InvoiceOptions = {},
): Promise<string> {
  const uuid = fields.uuid ?? randomUUID();
  const price = fields.nature === "CREDIT" ? -5 : 5;
  const net = fields.net ?? minutes.reduce((sum, quantity) => sum + quantity * price, 0);
  const tax = fields.tax ?? 0;
  const created_at = fields.created_at ?? ENDED;
  await db
    .insertInto("invoices")
    .values({
      number: fields.number ?? (await nextNumber(db)),
      subscription_uuid: null,
      nature: "SUBSCRIPTION",
      refunds_uuid: null,
      usage_type: "metered",
      period_began_at: BEGAN,
      period_ended_at: ENDED,
      currency: "USD",
      balance_used: 0,
      due_at: new Date("2026-02-11T00:00:00Z"),
      ...fields,
      uuid,
      organization_uuid,
      created_at,
      net,
      tax,
      amount: net + tax,
      bill_to: JSON.stringify(bill_to),
      tax_rate: tax_rate && JSON.stringify(tax_rate),
    })
    .execute();
  if (statuses.length > 0)
    await db
      .insertInto("invoice_statuses")
      .values(statuses.map((status, index) => ({ invoice_uuid: uuid, revision: index + 1, status, at: created_at })))
      .execute();
  for (let from = 0; from < minutes.length; from += 1000)
    await db
      .insertInto("invoice_lines")
      .values(
        minutes.slice(from, from + 1000).map((quantity, index) => ({
          invoice_uuid: uuid,
          position: from + index + 1,
          description: `Recipe ${(from + index) % 7}`,
          began_at: BEGAN,
          ended_at: new Date(BEGAN.getTime() + quantity * MINUTE_MS),
          quantity,
          price,
          amount: quantity * price,
        })),
      )
      .execute();
  return uuid;
}
