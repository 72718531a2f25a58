import { type InvoiceDetail, limits } from "@terrarium/contract";
import { expect, it } from "vitest";
import { anOrganization } from "../../testing/factories.ts";
import { anInvoice } from "../invoices/testing/an-invoice.ts";
import { refundPayment, repricePlans } from "./billing.jobs.ts";
import { grantMinutes } from "./minutes.ts";
import { billDue, markInvoicePaid, refundInvoice, showDue } from "./operate-invoices.ts";
import { listUnpaid } from "./receivables.store.ts";
import { setPrice } from "./set-price.ts";
import { billed } from "./testing/billed.ts";
import { refuseWrites } from "./testing/others.ts";
import { aSubscription } from "./testing/plans.ts";

const DAY = 24 * 60 * 60_000;

it.each([0, -5, 0.5])("pays back no %d cents", async (amount) => {
  const { plan, operator, invoices } = await billed();
  await plan({ plan: "monthly" });
  await expect(refundInvoice(operator, "1", amount)).rejects.toMatchObject({ code: "INVOICE_NOT_REFUNDABLE" });
  expect(await invoices()).toHaveLength(1);
});

it("notes once that an invoice is paid back, and takes the credit note for no invoice, nor for a debt", async () => {
  const { plan, db, organization, deps, operator, invoices } = await billed();
  await plan({ plan: "monthly" });
  await refundInvoice(operator, "1");
  expect(await listUnpaid(db, organization)).toEqual([]);
  const { uuid: note } = (await invoices())[1]!;
  const { uuid: payment } = await db.selectFrom("payments").select("uuid").executeTakeFirstOrThrow();
  // As if it had been killed when it was done.
  for (let time = 0; time < 2; time++)
    await refundPayment.handle(deps, { payment, note }, new AbortController().signal);
  expect((await invoices())[1]?.history).toBe("PENDING ACCEPTED");
  await expect(refundInvoice(operator, "2")).rejects.toMatchObject({ code: "INVOICE_NOT_FOUND" });
});

it("says on the invoice how it was paid otherwise", async () => {
  const { db, organization, operator, manager } = await billed();
  const uuid = await anInvoice(db, organization, { statuses: ["PENDING", "FAILED"] });
  await markInvoicePaid(operator, "1", "by transfer");
  expect((await manager.get(`/v1/billing/transactions/${uuid}`)).json<InvoiceDetail>().reason).toBe("by transfer");
});

it("shows what is due now where it is asked for a day that has passed", async () => {
  const { plan, run, pass, clock, deps } = await billed({ minutes: 0 });
  await plan();
  await run();
  await pass(7 * DAY);
  expect(await showDue(deps, new Date(clock.now() - 30 * DAY))).toHaveLength(1);
});

it("shows what will be due by a day, some time ahead at most", async () => {
  const { plan, clock, deps, db } = await billed();
  await plan({ plan: "monthly" });
  const shown = async (days: number) => (await showDue(deps, new Date(clock.now() + days * DAY))).length;
  expect([await shown(20), await shown(40)]).toEqual([0, 1]);
  const endsIn = (days: number) =>
    db
      .updateTable("subscriptions")
      .set({ period_ends_at: new Date(clock.now() + days * DAY) })
      .execute();
  await endsIn(limits.dryRunDays + 1);
  expect(await shown(1_000)).toBe(1);
  await endsIn(limits.dryRunDays + 1.5);
  expect(await shown(1_000)).toBe(0);
});

it("throws what fails for one plan after the others are billed, also where it is only shown", async () => {
  const { plan, run, pass, operator, deps, db, invoices } = await billed({ minutes: 0 });
  await plan();
  await run();
  const other = await anOrganization(db, { license_type: "pending" });
  await aSubscription(db, other, { at: new Date(deps.clock.now()) });
  await refuseWrites(db, "invoices", "INSERT", other);
  await pass(31 * DAY);
  await expect(showDue(deps)).rejects.toThrow("broken");
  await expect(billDue({ ...deps, by: operator.by })).rejects.toThrow("1 plans could not be billed");
  expect((await invoices()).length).toBeGreaterThan(0);
});

it("gives as many free minutes at once as may be", async () => {
  const { organization, operator, clock, balance } = await billed({ minutes: 5 });
  await grantMinutes({ ...operator, now: new Date(clock.now()) }, organization, limits.grantMax);
  expect((await balance()).minutes).toBe(limits.grantMax + 5);
});

it.each([
  { plan: "monthly", description: "Unlimited, monthly" },
  { plan: "annual", description: "Unlimited, annual" },
])("says $description on the invoice of such a plan", async ({ plan: kind, description }) => {
  const { plan, invoices, lines } = await billed();
  await plan({ plan: kind });
  expect(await lines((await invoices())[0]?.uuid ?? "")).toMatchObject([{ description }]);
});

it.each([0, -1, 1.5, limits.grantMax + 1])("gives no %d free minutes", async (minutes) => {
  const { organization, operator, clock, balance } = await billed({ minutes: 5 });
  const by = { ...operator, now: new Date(clock.now()) };
  await expect(grantMinutes(by, organization, minutes)).rejects.toMatchObject({ code: "invalid_request" });
  expect((await balance()).minutes).toBe(5);
});

it("agrees on the price that there is without a word", async () => {
  const { plan, organization, operator, audited } = await billed();
  await plan();
  for (let time = 0; time < 2; time++) await setPrice(operator, organization, 4);
  expect((await audited()).filter(({ action }) => action === "subscription.set_price")).toHaveLength(1);
});

it("agrees on a price also after a plan that has not begun, and says where that fails", async () => {
  const { db, deps, organization, plan, run, pass, get } = await billed({ minutes: 0 });
  const at = new Date(deps.clock.now());
  const waiting = await aSubscription(db, await anOrganization(db), { plan: "payg", status: "INCOMPLETE", at });
  await db.updateTable("subscriptions").set({ price: 5 }).where("uuid", "=", waiting).execute();
  const { uuid } = await plan();
  const reprice = async (was: number, price: number) => {
    await db.updateTable("prices").set({ minute_cents: price }).execute();
    await repricePlans.handle(deps, { plan: "payg", was, price }, new AbortController().signal);
  };
  await reprice(5, 6);
  expect((await get(uuid)).items[0]?.plan.price).toBe(6);
  await run();
  await pass(60_000);
  await refuseWrites(db, "invoices", "INSERT", organization);
  await expect(reprice(6, 7)).rejects.toThrow("broken");
});
