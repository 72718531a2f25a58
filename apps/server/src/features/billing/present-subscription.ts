import { AppError, type Subscription } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { findSubscription, type SubscriptionRow } from "./subscriptions.store.ts";

/** A subscription as clients know it. */
export function presentSubscription(row: SubscriptionRow): Subscription {
  const { uuid, plan, quantity, price, currency, history, renewal } = row;
  const interval = ({ payg: "minute", monthly: "month", annual: "year" } as const)[plan];
  const usage_type = plan === "payg" ? "metered" : "licensed";
  return {
    uuid,
    plan,
    quantity,
    is_active: row.ended_at === null && row.status !== "INCOMPLETE",
    cancel_at_period_end: row.cancel_at_period_end,
    current_period_start: row.period_began_at.toISOString(),
    current_period_end: row.period_ends_at.toISOString(),
    renewal: plan === "payg" ? null : { price: renewal.price, ends_at: renewal.ends_at.toISOString() },
    items: [{ quantity, plan: { id: plan, price, currency, interval, usage_type } }],
    status_history: history.map(({ status, cancel_at_period_end, at }) => ({
      status,
      cancel_at_period_end,
      created_at: new Date(at).toISOString(),
    })),
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}

/** One of another organization is as if it were not there. @throws AppError SUBSCRIPTION_NOT_FOUND */
export async function existing(db: Database, organization: string, uuid: string): Promise<SubscriptionRow> {
  const row = await findSubscription(db, uuid);
  if (row?.organization_uuid !== organization) throw new AppError("SUBSCRIPTION_NOT_FOUND");
  return row;
}
