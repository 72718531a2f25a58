import type { Clock } from "@terrarium/clock";
import type { Offer, Overview } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { listInvoices } from "../invoices/invoices.ts";
import { sumRan } from "./minutes.store.ts";
import { sumBilled } from "./receivables.store.ts";
import { findRunning } from "./subscriptions.store.ts";
import { balanceOf } from "./subscriptions.ts";

/** How long the pace of use is looked at that a forecast goes on with. */
const PACE_MS = 7 * 24 * 60 * 60 * 1000;

/** What an organization spends in this month, what that will come to, and its last invoice. Months are those of UTC, as the days of invoices. */
export async function spendOf(
  deps: { db: Database; clock: Clock; offer: Offer; pagesAt: () => string },
  organization: string,
): Promise<Overview["billing"]> {
  const now = new Date(deps.clock.now());
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()));
  const monthEnd = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  const { amount: unbilled, currency, minutes: free } = await balanceOf(deps, { organization });
  const billed = await sumBilled(deps.db, organization, { since: month, currency });
  const { results } = await listInvoices(deps, organization, {
    nature: "SUBSCRIPTION",
    ordering: [{ field: "created_at", descending: true }],
    page: 1,
    page_size: 1,
  });
  const spend = billed + unbilled;
  const plan = await findRunning(deps.db, organization);
  const since = new Date(now.getTime() - PACE_MS);
  const lately = await sumRan(deps.db, { organization, since, until: now, now });
  const toCome = Math.max(0, (lately * (monthEnd - now.getTime())) / PACE_MS - free);
  const forecast = plan?.plan === "payg" ? spend + Math.round(toCome * plan.price) : null;
  return { spend, unbilled, forecast, currency, last_invoice: results[0] ?? null };
}
