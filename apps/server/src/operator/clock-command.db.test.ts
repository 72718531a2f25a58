import { TestClock } from "@terrarium/clock";
import { expect, it, vi } from "vitest";
import { Audit } from "../features/audit/audit.ts";
import { byService } from "../features/audit/by.ts";
import { runBilling } from "../features/billing/billing.jobs.ts";
import { startSubscription } from "../features/billing/subscriptions.ts";
import { aCustomer, goOnline, measure } from "../features/billing/testing/customers.ts";
import { FakePayments } from "../features/billing/testing/fake-payments.ts";
import { moveInstance } from "../features/instances/move-instance.ts";
import { createLog } from "../platform/log.ts";
import { createTestDatabase } from "../testing/database.ts";
import { clockCommand } from "./clock-command.ts";
import type { Installation } from "./command.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const offer = {
  currency: "USD" as const,
  minute_cents: 5,
  unlimited_monthly_cents: 20_600,
  annual_discount: 17,
  payg_threshold_cents: 10_000_000,
  card_hold_cents: 100,
  trial: { minutes: 0, days: 0 },
};

it("has passed for devices too, when they are billed before their gateway has measured again", async () => {
  const { db, url } = await createTestDatabase();
  const clock = new TestClock();
  const log = createLog("silent", "test");
  const payments = new FakePayments();
  const audit = new Audit({ clock, log });
  const deps = { db, clock, audit, log, payments, offer, taxes: { sellerCountry: "FR" } };
  const customer = await aCustomer(db, clock, 0);
  await startSubscription(deps, { organization: customer.uuid }, { plan: "payg", quantity: 1 }, byService);
  const [stays, lost] = [await goOnline(db, clock, customer), await goOnline(db, clock, customer)];
  await clock.advance(HOUR);
  await measure(db, clock);
  // Nobody measures this one any more.
  await clock.advance(5 * HOUR);
  await moveInstance(db, { uuid: lost, event: "fail", reason: "gateway_gone", now: new Date(clock.now()) });
  await measure(db, clock);

  const say = vi.spyOn(console, "log").mockReturnValue();
  const installation = { settings: { embedded: true, logLevel: "silent" }, url: async () => url };
  await clockCommand.read({ words: ["+12d"], options: {} })?.(installation as unknown as Installation);
  say.mockRestore();
  await clock.advance(12 * DAY);
  await runBilling.run(deps);
  await measure(db, clock);
  await clock.advance(3 * DAY);
  await measure(db, clock);
  await moveInstance(db, { uuid: stays, event: "stop", now: new Date(clock.now()) });
  await clock.advance(7 * DAY);
  await runBilling.run(deps);

  const lines = await db.selectFrom("invoice_lines").selectAll().orderBy("began_at").orderBy("quantity").execute();
  const minutes = lines.map(({ quantity }) => quantity);
  expect(lines.map(({ began_at, ended_at }) => Math.ceil((ended_at.getTime() - began_at.getTime()) / 60_000))).toEqual(
    minutes,
  );
  // The lost one until its last sign of life; the other one two weeks, and what is left of 15 days and 6 hours.
  expect(minutes).toEqual([61, 7 * 24 * 60, 7 * 24 * 60, (24 + 6) * 60]);
});
