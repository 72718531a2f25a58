import type { Clock } from "@terrarium/clock";
import type { Offer, Overview } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { listInvoices } from "../invoices/invoices.ts";
import { sumBilled } from "./receivables.store.ts";
import { balanceOf } from "./subscriptions.ts";

/** What an organization spends in this month, and its last invoice. Months are those of UTC, as the days of invoices. */
export async function spendOf(
  deps: { db: Database; clock: Clock; offer: Offer; pagesAt: () => string },
  organization: string,
): Promise<Overview["billing"]> {
  const now = new Date(deps.clock.now());
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()));
  const { amount: unbilled, currency } = await balanceOf(deps, { organization });
  const billed = await sumBilled(deps.db, organization, { since: month, currency });
  const { results } = await listInvoices(deps, organization, {
    nature: "SUBSCRIPTION",
    ordering: [{ field: "created_at", descending: true }],
    page: 1,
    page_size: 1,
  });
  return { spend: billed + unbilled, unbilled, currency, last_invoice: results[0] ?? null };
}
