import type { Clock } from "@terrarium/clock";
import type { Offer, Overview } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { listInvoices } from "../invoices/invoices.ts";
import { sumRan } from "./minutes.store.ts";
import { expectedUse, monthOf, paceSince } from "./month.ts";
import { sumBilled } from "./receivables.store.ts";
import { findRunning } from "./subscriptions.store.ts";
import { balanceOf } from "./subscriptions.ts";

/** What an organization spends in this month, what that will come to, and its last invoice. Months are those of UTC, as the days of invoices. */
export async function spendOf(
  deps: { db: Database; clock: Clock; offer: Offer; pagesAt: () => string },
  organization: string,
): Promise<Overview["billing"]> {
  const now = new Date(deps.clock.now());
  const month = monthOf(now);
  const { amount: unbilled, currency, minutes: free } = await balanceOf(deps, { organization });
  const billed = await sumBilled(deps.db, organization, { since: month.since, currency });
  const { results } = await listInvoices(deps, organization, {
    nature: "SUBSCRIPTION",
    ordering: [{ field: "created_at", descending: true }],
    page: 1,
    page_size: 1,
  });
  const spend = billed + unbilled;
  const plan = await findRunning(deps.db, organization);
  if (plan?.plan !== "payg") return { spend, unbilled, forecast: null, currency, last_invoice: results[0] ?? null };
  const since = paceSince(now, plan.created_at);
  const lately = await sumRan(deps.db, { organization, since, until: now, now });
  const coming = expectedUse({ used: 0, recent: lately }, { since, now, until: month.until });
  const forecast = spend + Math.max(0, coming - free) * plan.price;
  return { spend, unbilled, forecast, currency, last_invoice: results[0] ?? null };
}
