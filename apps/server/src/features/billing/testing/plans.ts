import { periodEnd, type Plan, type SubscriptionState } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import type { Database } from "../../../database/schema.ts";

export const anAddress = {
  street: "1 Moss Lane",
  additional_info: "",
  city: "Portland",
  state: "OR",
  postcode: "97201",
  country: "US",
};

/** Gives an organization all that a plan requires: an address, and a card at the provider. */
export async function makePayable(db: Database, organization: string): Promise<void> {
  const address = JSON.stringify(anAddress);
  await db.updateTable("organizations").set({ address }).where("uuid", "=", organization).execute();
  await db
    .insertInto("customers")
    .values({ organization_uuid: organization, provider: "sandbox", ref: `cus_${organization}` })
    .execute();
  await db
    .insertInto("cards")
    .values({
      uuid: randomUUID(),
      organization_uuid: organization,
      ref: `pm_${randomUUID()}`,
      brand: "visa",
      last4: "4242",
      expiry_month: 12,
      expiry_year: 2030,
      is_default: true,
      created_at: new Date("2026-01-05T08:00:00Z"),
    })
    .execute();
}

/** A plan of an organization, in place of one that runs; returns its identifier. */
export async function aSubscription(
  db: Database,
  organization: string,
  { plan = "monthly", status = "ACTIVE", at }: { plan?: Plan; status?: SubscriptionState; at: Date },
): Promise<string> {
  const uuid = randomUUID();
  const ended = db.updateTable("subscriptions").set({ ended_at: at }).where("organization_uuid", "=", organization);
  await ended.where("ended_at", "is", null).execute();
  await db
    .insertInto("subscriptions")
    .values({
      uuid,
      organization_uuid: organization,
      plan,
      quantity: 2,
      price: 20_600,
      currency: "USD",
      period_began_at: at,
      period_ends_at: periodEnd(plan, at),
      created_at: at,
    })
    .execute();
  await db
    .insertInto("subscription_statuses")
    .values({ subscription_uuid: uuid, revision: 1, status, cancel_at_period_end: false, at })
    .execute();
  return uuid;
}
