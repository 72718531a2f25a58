import { AppError, type InvoiceDetail } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { sql } from "kysely";
import { anOrganization } from "../../testing/factories.ts";
import { outcomeOf } from "../../testing/sharing.ts";
import { setTerms } from "../organizations/set-terms.ts";
import type { Database } from "../../database/schema.ts";
import { createLog } from "../../platform/log.ts";
import { anInvoice } from "../invoices/testing/an-invoice.ts";
import { collectInvoice, failWithoutCard, settlePayment } from "./collect.ts";
import { runBilling, stopUncovered, writeOffWaiting } from "./billing.jobs.ts";
import { markInvoicePaid, refundInvoice } from "./operate-invoices.ts";
import { chargeFor, findInvoice } from "./receivables.store.ts";
import { setPrice } from "./set-price.ts";
import { cancelPlan } from "./cancel-plan.ts";
import { billed, PLANS } from "./testing/billed.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** What Stripe charges at least. */
const MINIMUM = 50;
const TOGETHER = "It is less than can be charged, and is charged together with the next invoice.";
const WRITTEN_OFF = "It is less than can be charged, and was written off.";

describe("what is less than the provider charges", () => {
  /** Nine minutes of a device on pay-as-you-go, which is cancelled after them. */
  async function nineMinutes(options = {}) {
    const test = await billed({ minutes: 0, devices: 10, ...options });
    test.payments.minimum = MINIMUM;
    const { manager, run, pass, stop, plan, runJobs } = test;
    const cancelAfterNine = async () => {
      const { uuid } = await plan();
      const phone = await run();
      await pass(9 * MINUTE);
      await stop(phone);
      await manager.delete(`${PLANS}/${uuid}`);
      await runJobs();
      return uuid;
    };
    const histories = async () => (await test.invoices()).map(({ amount, history }) => [amount, history]);
    const detailOf = async (invoice: string) =>
      (await manager.get(`/v1/billing/transactions/${invoice}`)).json<InvoiceDetail>();
    const reasonOf = async (invoice: string) => (await detailOf(invoice)).reason;
    return { ...test, cancelAfterNine, histories, detailOf, reasonOf };
  }

  it("waits for the next invoice, so that cancelling every nine minutes costs as much as not cancelling", async () => {
    const { cancelAfterNine, histories, payments, invoices, reasonOf, license, pass, bill, manager } =
      await nineMinutes();
    await cancelAfterNine();
    expect([payments.taken, await histories()]).toEqual([0, [[45, "PENDING PENDING"]]]);
    const { uuid } = (await invoices())[0]!;
    expect(await reasonOf(uuid)).toBe(TOGETHER);
    expect(outcomeOf(await manager.post(`/v1/billing/transactions/${uuid}/pay`, {}))).toBe("409 INVOICE_NOT_PAYABLE");
    await cancelAfterNine();
    expect(await histories()).toEqual([
      [45, "PENDING PENDING ACCEPTED"],
      [45, "PENDING ACCEPTED"],
    ]);
    await cancelAfterNine();
    await cancelAfterNine();
    expect([payments.taken, payments.charges.size]).toEqual([4 * 45, 2]);
    // Nobody is a debtor for it.
    await cancelAfterNine();
    await pass(29 * DAY);
    await bill();
    expect([(await license()).is_debtor, payments.taken]).toEqual([false, 4 * 45]);
  });

  it("is paid with the plan that is paid in advance after it, and waits on if that is refused", async () => {
    const { cancelAfterNine, subscribe, histories, payments, operator, invoices, runJobs, balance, audited, detailOf } =
      await nineMinutes();
    await cancelAfterNine();
    payments.answer = () => "refused";
    expect(outcomeOf(await subscribe({ plan: "monthly" }))).toBe("402 CARD_REFUSED");
    payments.answer = () => "accepted";
    const { waiting } = await balance();
    expect(waiting).toBe(45);
    expect(outcomeOf(await subscribe({ plan: "monthly", total: 20_600 }))).toBe("409 PRICE_CHANGED");
    const started = await subscribe({ plan: "monthly", total: 20_600 + waiting });
    expect(started.statusCode).toBe(201);
    expect([payments.taken, (await balance()).waiting]).toEqual([20_645, 0]);
    const details = { amount: 20_645, also_pays: "INV-000001" };
    expect((await audited()).findLast(({ action }) => action === "subscription.start")?.details).toMatchObject(details);
    const [first, , third] = await invoices();
    expect((await detailOf(third!.uuid)).charge).toEqual({
      amount: 20_645,
      also_pays: [{ uuid: first!.uuid, invoice_number: "INV-000001", amount: 45 }],
    });
    expect((await detailOf(first!.uuid)).charge).toBe(null);
    expect(await histories()).toEqual([
      [45, "PENDING PENDING ACCEPTED"],
      [20_600, "PENDING FAILED VOID"],
      [20_600, "PENDING ACCEPTED"],
    ]);
    // Both are paid back from the one charge.
    for (const number of ["1", "3"]) await refundInvoice(operator, number);
    await runJobs();
    expect([...payments.refunds.values()].map(({ amount }) => amount).toSorted((one, other) => one - other)).toEqual([
      45, 20_600,
    ]);
    expect(new Set([...payments.refunds.values()].map(({ charge }) => charge)).size).toBe(1);
    expect((await invoices()).at(-1)?.history).toBe("PENDING ACCEPTED");
  });

  it("is said before it is paid with an invoice, as it is paid, and after", async () => {
    const { cancelAfterNine, db, organization, detailOf, manager, payments, audited, histories } = await nineMinutes();
    await cancelAfterNine();
    const uuid = await anInvoice(db, organization, { statuses: ["PENDING", "FAILED"] });
    const [small] = await db.selectFrom("invoices").select("uuid").where("number", "=", 1).execute();
    const both = { amount: 345, also_pays: [{ uuid: small!.uuid, invoice_number: "INV-000001", amount: 45 }] };
    expect([(await detailOf(uuid)).charge, (await detailOf(small!.uuid)).charge]).toEqual([both, null]);
    const path = `/v1/billing/transactions/${uuid}/pay`;
    for (const answer of ["refused", "requires_action"] as const) {
      payments.answer = () => answer;
      // As the page showed it before.
      expect(outcomeOf(await manager.post(path, { total: 300 }))).toBe("409 PRICE_CHANGED");
      expect((await manager.post(path, { total: 345 })).json()).toMatchObject({ outcome: answer, ...both });
      const details = { number: "INV-000002", outcome: answer, amount: 345, also_pays: "INV-000001" };
      expect((await audited()).at(-1)).toMatchObject({ action: "invoice.pay", details });
      expect([(await detailOf(uuid)).charge, (await detailOf(small!.uuid)).charge]).toEqual([both, null]);
    }
    expect([...payments.charges.values()].map(({ amount }) => amount)).toEqual([345, 345]);
    expect(outcomeOf(await manager.post(path, { total: 300 }))).toBe("409 PRICE_CHANGED");
    // That the bank asks for it again is nothing new.
    expect((await histories())[1]).toEqual([300, "PENDING FAILED FAILED"]);
  });

  it("waits on if what it was charged with is paid back as nobody waited for it", async () => {
    const { cancelAfterNine, subscribe, histories, payments, pass, confirm, bill, runJobs, operator } =
      await nineMinutes();
    await cancelAfterNine();
    payments.answer = () => "requires_action";
    await subscribe({ plan: "monthly" });
    await expect(markInvoicePaid(operator, "1", "by transfer")).rejects.toMatchObject({ code: "INVOICE_NOT_PAYABLE" });
    await pass(HOUR);
    await bill();
    payments.confirm([...payments.charges.values()][0]!.outcome.ref);
    await pass(HOUR);
    await confirm();
    await runJobs();
    expect([...payments.refunds.values()].map(({ amount }) => amount)).toEqual([20_645]);
    payments.answer = () => "accepted";
    await cancelAfterNine();
    expect(await histories()).toEqual([
      [45, "PENDING PENDING ACCEPTED"],
      [20_600, "PENDING VOID"],
      [45, "PENDING ACCEPTED"],
    ]);
  });

  it("is said to be charged with a start that takes the place of one that was not confirmed", async () => {
    const { cancelAfterNine, subscribe, payments, balance } = await nineMinutes();
    await cancelAfterNine();
    for (const answer of ["requires_action", "accepted"] as const) {
      payments.answer = () => answer;
      const { waiting } = await balance();
      expect(waiting).toBe(45);
      expect((await subscribe({ plan: "monthly", total: 20_600 + waiting })).statusCode).toBe(201);
    }
    expect([payments.taken, (await balance()).waiting]).toEqual([20_645, 0]);
  });

  it("is charged with no plan that is free, and the invoice says so", async () => {
    const { cancelAfterNine, subscribe, payments, invoices, detailOf, audited, db } = await nineMinutes();
    await cancelAfterNine();
    await db.updateTable("prices").set({ unlimited_monthly_cents: 0 }).execute();
    expect((await subscribe({ plan: "monthly", total: 0 })).statusCode).toBe(201);
    expect(payments.taken).toBe(0);
    const started = (await audited()).findLast(({ action }) => action === "subscription.start");
    expect(started?.details).toEqual({ plan: "monthly", quantity: 1, price: 0 });
    expect((await detailOf((await invoices())[1]!.uuid)).charge).toBe(null);
    // Nor is what comes to less in all.
    const other = await anOrganization(db);
    const small = await anInvoice(db, other, { minutes: [1] });
    expect(await chargeFor(db, (await findInvoice(db, small))!, MINIMUM)).toBe(undefined);
  });

  it("is charged with another invoice where nobody ever confirmed the one that it was to be charged with", async () => {
    const { cancelAfterNine, subscribe, histories, payments, pass, bill, manager, invoices } = await nineMinutes();
    await cancelAfterNine();
    const { uuid } = (await invoices())[0]!;
    payments.answer = () => "requires_action";
    await subscribe({ plan: "monthly" });
    await pass(2 * HOUR);
    await bill();
    payments.answer = () => "accepted";
    expect(outcomeOf(await manager.post(`/v1/billing/transactions/${uuid}/pay`, {}))).toBe("409 INVOICE_NOT_PAYABLE");
    await cancelAfterNine();
    expect(await histories()).toEqual([
      [45, "PENDING PENDING ACCEPTED"],
      [20_600, "PENDING VOID"],
      [45, "PENDING ACCEPTED"],
    ]);
    expect(payments.taken).toBe(90);
  });

  it("is written off a month after all has ended, and the invoice says so", async () => {
    const { cancelAfterNine, histories, invoices, reasonOf, deps, pass, payments, plan } = await nineMinutes();
    await cancelAfterNine();
    await pass(30 * DAY - HOUR);
    await writeOffWaiting.run(deps);
    expect(await histories()).toEqual([[45, "PENDING PENDING"]]);
    await plan();
    await pass(DAY);
    await writeOffWaiting.run(deps);
    expect(await histories()).toEqual([[45, "PENDING PENDING"]]);
    await deps.db
      .updateTable("subscriptions")
      .set({ ended_at: new Date(deps.clock.now()) })
      .execute();
    await writeOffWaiting.run(deps);
    await writeOffWaiting.run(deps);
    expect([await histories(), payments.taken]).toEqual([[[45, "PENDING PENDING VOID"]], 0]);
    expect(await reasonOf((await invoices())[0]!.uuid)).toBe(WRITTEN_OFF);
  });

  it("is not written off while an invoice is there that it can be paid with", async () => {
    const { cancelAfterNine, histories, deps, pass, db, organization, manager, payments } = await nineMinutes();
    await cancelAfterNine();
    const failed = await anInvoice(db, organization, { statuses: ["PENDING", "FAILED"] });
    await pass(31 * DAY);
    await writeOffWaiting.run(deps);
    expect((await histories())[0]).toEqual([45, "PENDING PENDING"]);
    expect((await manager.post(`/v1/billing/transactions/${failed}/pay`, {})).json()).toMatchObject({ amount: 345 });
    expect([(await histories())[0], payments.taken]).toEqual([[45, "PENDING PENDING ACCEPTED"], 345]);
    await cancelAfterNine();
    // Those of others, of other currencies, and what is paid back keep nothing from it.
    await anInvoice(db, await anOrganization(db), { statuses: ["FAILED"] });
    await anInvoice(db, organization, { statuses: ["PENDING"], nature: "CREDIT" });
    await anInvoice(db, organization, { statuses: ["FAILED"], currency: "EUR" });
    await pass(31 * DAY);
    await writeOffWaiting.run(deps);
    expect((await histories())[2]).toEqual([45, "PENDING PENDING VOID"]);
  });

  it("is written off of others where it fails for one, and said so", async () => {
    const { cancelAfterNine, deps, pass, db } = await nineMinutes();
    await cancelAfterNine();
    await pass(31 * DAY);
    const [mine] = await db.selectFrom("invoices").selectAll().execute();
    const [others] = [await anInvoice(db, randomUUID(), { statuses: [], minutes: [9], due_at: mine!.due_at })];
    const waits = { invoice_uuid: others, revision: 1, status: "PENDING" as const, waits: true, at: mine!.due_at };
    await db.insertInto("invoice_statuses").values(waits).execute();
    await sql`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`.execute(
      db,
    );
    const failing = async (invoice: string) => {
      await sql`CREATE OR REPLACE TRIGGER fails BEFORE INSERT ON invoice_statuses FOR EACH ROW
        WHEN (NEW.invoice_uuid = ${sql.lit(invoice)}) EXECUTE FUNCTION fail()`.execute(db);
      const said: string[] = [];
      const log = createLog("error", "test", { write: (line: string) => void said.push(line) });
      await writeOffWaiting.run({ ...deps, log });
      return said.length;
    };
    const isVoid = async (invoice: string) =>
      (await db.selectFrom("invoice_statuses").select("status").where("invoice_uuid", "=", invoice).execute()).some(
        ({ status }) => status === "VOID",
      );
    // Whichever comes first.
    expect([await failing(mine!.uuid), await isVoid(mine!.uuid), await isVoid(others)]).toEqual([1, false, true]);
    const third = await anInvoice(db, randomUUID(), { statuses: [], minutes: [9], due_at: mine!.due_at });
    await db
      .insertInto("invoice_statuses")
      .values({ ...waits, invoice_uuid: third })
      .execute();
    expect([await failing(third), await isVoid(mine!.uuid), await isVoid(third)]).toEqual([1, true, false]);
  });

  it("is written off at once where it is the price of a plan that is paid in advance", async () => {
    const { plan, invoices, reasonOf, deps, payments, histories, operator, pass, bill, stateOf } = await nineMinutes();
    await deps.db.updateTable("prices").set({ unlimited_monthly_cents: 20 }).execute();
    const { uuid } = await plan({ plan: "monthly" });
    expect(await stateOf(uuid)).toBe("ACTIVE");
    // That is no payment, and nothing to be paid back.
    expect([payments.taken, await histories()]).toEqual([0, [[20, "PENDING VOID"]]]);
    expect(await reasonOf((await invoices())[0]!.uuid)).toBe(WRITTEN_OFF);
    await expect(refundInvoice(operator, "1")).rejects.toMatchObject({ code: "INVOICE_NOT_REFUNDABLE" });
    await pass(30 * DAY);
    await bill();
    expect(await stateOf(uuid)).toBe("ACTIVE");
    await pass(DAY);
    await bill();
    expect([await stateOf(uuid), (await histories()).length]).toEqual(["ACTIVE", 2]);
    // Nothing is paid for a week that was free.
    const free = await nineMinutes({ minutes: 60 });
    await free.cancelAfterNine();
    expect([await free.histories(), await free.reasonOf((await free.invoices())[0]!.uuid)]).toEqual([
      [[0, "PENDING ACCEPTED"]],
      "",
    ]);
  });
});

describe("an upfront plan that is cancelled while it is renewed", () => {
  /** A plan whose renewal was asked for while the provider answers in some way. */
  async function renewing(fault?: "before" | "after") {
    const test = await billed();
    const { uuid } = await test.plan({ plan: "monthly", quantity: 1 });
    await test.pass(30 * DAY);
    if (fault)
      test.payments.fault = (when) => {
        // As Stripe's adapter says it of timeouts.
        if (when === fault) throw new AppError("SERVICE_UNAVAILABLE");
      };
    const cancel = (cancel_at_period_end: boolean) => test.manager.put(`${PLANS}/${uuid}`, { cancel_at_period_end });
    return { ...test, uuid, cancel };
  }

  it.each([
    ["was never asked for", "before", 1, 0],
    ["has charged it all the same", "after", 2, 1],
  ] as const)("pays nothing where the provider %s", async (_, fault, charges, refunds) => {
    const { uuid, bill, cancel, payments, pass, invoices, stateOf, runJobs } = await renewing(fault);
    await bill();
    expect((await invoices())[1]?.history).toBe("PENDING");
    expect((await cancel(true)).statusCode).toBe(200);
    expect((await invoices())[1]?.history).toBe("PENDING VOID");
    payments.fault = () => undefined;
    await pass(HOUR);
    await runJobs();
    await runJobs();
    expect([payments.charges.size, payments.refunds.size]).toEqual([charges, refunds]);
    await pass(DAY);
    await bill();
    expect(await stateOf(uuid)).toBe("CANCELLED");
    const kept = payments.taken - [...payments.refunds.values()].reduce((sum, { amount }) => sum + amount, 0);
    expect(kept).toBe(20_600);
  });

  it("pays nothing where the attempt has not begun, and is renewed when it is restored", async () => {
    const { bill, manager, uuid, cancel, payments, pass, invoices, stateOf, runJobs, deps } = await renewing();
    await runBilling.run(deps);
    await manager.delete(`${PLANS}/${uuid}`);
    await runJobs();
    expect(payments.charges.size).toBe(1);
    await cancel(false);
    await bill();
    expect((await invoices()).map(({ history }) => history)).toEqual([
      "PENDING ACCEPTED",
      "PENDING VOID",
      "PENDING ACCEPTED",
    ]);
    await pass(2 * DAY);
    await bill();
    expect([await stateOf(uuid), payments.charges.size]).toEqual(["ACTIVE", 2]);
  });
});

describe("a charge that reaches the provider after it was looked for", () => {
  /** A renewal that was called off while it was on its way to the provider, which does not know of it yet. */
  async function calledOff() {
    const test = await billed();
    const { uuid } = await test.plan({ plan: "monthly", quantity: 1 });
    await test.pass(30 * DAY);
    test.payments.fault = () => {
      throw new AppError("SERVICE_UNAVAILABLE");
    };
    await test.bill();
    await test.manager.delete(`${PLANS}/${uuid}`);
    test.payments.fault = () => undefined;
    await test.pass(2 * MINUTE);
    await test.runJobs();
    const payment = await test.db
      .selectFrom("payments")
      .selectAll()
      .where("outcome", "=", "refused")
      .executeTakeFirstOrThrow();
    expect(payment.ref).toBe(`none_${payment.uuid}`);
    /** It arrives. */
    const arrive = () =>
      test.payments.charge({
        customer: `cus_${test.organization}`,
        card: payment.card_ref,
        amount: payment.amount,
        currency: "USD",
        invoice: { uuid: payment.invoice_uuid, number: "2" },
        key: payment.uuid,
      });
    const paidBack = async () => {
      await test.runJobs();
      const records = (await test.audited()).filter(({ action }) => action === "invoice.refund");
      return [[...test.payments.refunds.values()].map(({ amount }) => amount), records.map(({ subject }) => subject)];
    };
    const once = [[20_600], [`invoice ${payment.invoice_uuid}`]];
    return { ...test, payment, arrive, paidBack, once };
  }

  it("is paid back once when whoever asked for it is answered", async () => {
    const { deps, payment, arrive, paidBack, once, pass, invoices } = await calledOff();
    const outcome = await arrive();
    for (let time = 0; time < 2; time++) await settlePayment(deps, payment.uuid, outcome);
    expect(await paidBack()).toEqual(once);
    await pass(2 * DAY);
    expect(await paidBack()).toEqual(once);
    expect((await invoices())[1]?.history).toBe("PENDING VOID");
  });

  it.each([
    ["ten minutes", 0],
    ["a day", HOUR],
  ])("is found %s later where nobody was there for the answer, and paid back once", async (_, afterMs) => {
    const { arrive, paidBack, once, pass } = await calledOff();
    await pass(afterMs);
    await paidBack();
    await arrive();
    await pass(afterMs === 0 ? 10 * MINUTE : DAY);
    expect(await paidBack()).toEqual(once);
    await pass(2 * DAY);
    expect(await paidBack()).toEqual(once);
  });

  it("is paid back also where the customer confirms it only then, and nothing where they do not, or nothing arrives", async () => {
    const { payments, arrive, paidBack, once, pass, confirm, db } = await calledOff();
    payments.answer = () => "requires_action";
    const { ref } = await arrive();
    await pass(10 * MINUTE);
    expect(await paidBack()).toEqual([[], []]);
    payments.confirm(ref);
    await pass(HOUR);
    await confirm();
    expect(await paidBack()).toEqual(once);

    const without = await calledOff();
    for (const ms of [HOUR, 2 * DAY]) {
      await without.pass(ms);
      expect(await without.paidBack()).toEqual([[], []]);
    }
    const looks = await sql`SELECT state FROM jobs WHERE name = 'look-at-payment'`.execute(without.db);
    expect(looks.rows).toEqual([{ state: "done" }, { state: "done" }]);
    const declined = await calledOff();
    declined.payments.answer = () => "refused";
    await declined.arrive();
    await declined.pass(DAY);
    expect(await declined.paidBack()).toEqual([[], []]);
    const open = db.selectFrom("payments").select("uuid").where("outcome", "in", ["unknown", "requires_action"]);
    expect(await open.execute()).toEqual([]);
  });

  /** A payment that was not found at the provider. */
  async function notFound(db: Database, fields: { invoice_uuid: string; also_pays: string[]; amount: number }) {
    const uuid = randomUUID();
    const none = { uuid, ref: `none_${uuid}`, outcome: "refused" as const, card_uuid: null, card_ref: "pm" };
    await db
      .insertInto("payments")
      .values({ ...none, ...fields, created_at: new Date() })
      .execute();
    return uuid;
  }

  it("pays what is still to be paid, with all that it was for; otherwise nothing of it", async () => {
    for (const isWhole of [true, false]) {
      const { db, deps, organization, payments, invoices, runJobs, audited, license } = await billed();
      const [invoice, small] = [
        await anInvoice(db, organization, { statuses: ["PENDING", "FAILED"], minutes: [60] }),
        await anInvoice(db, organization, { statuses: ["PENDING", isWhole ? "PENDING" : "ACCEPTED"], minutes: [9] }),
      ];
      const key = await notFound(db, { invoice_uuid: invoice, also_pays: [small], amount: 345 });
      for (let time = 0; time < 2; time++) await settlePayment(deps, key, { kind: "accepted", ref: "pi_late" });
      await runJobs();
      expect((await invoices()).map(({ history }) => history)).toEqual(
        isWhole ? ["PENDING FAILED ACCEPTED", "PENDING PENDING ACCEPTED"] : ["PENDING FAILED", "PENDING ACCEPTED"],
      );
      expect(isWhole && (await license()).is_debtor).toBe(false);
      expect([...payments.refunds.values()]).toEqual(isWhole ? [] : [{ charge: "pi_late", amount: 345 }]);
      const money = (await audited()).filter(({ action }) => action.startsWith("invoice."));
      expect(money.map(({ action, details }) => [action, details["amount"], details["also_pays"]])).toEqual([
        isWhole ? ["invoice.pay", 345, "INV-000002"] : ["invoice.refund", 345, undefined],
      ]);
      // What is not paid yet can be paid with another, and what is paid is not charged.
      expect(await collectInvoice(deps, invoice)).toMatchObject({ kind: "accepted" });
      expect(payments.taken).toBe(isWhole ? 0 : 300);
    }
  });

  it("is paid back where the invoice is charged again meanwhile", async () => {
    const { db, deps, organization, payments, invoices, runJobs, operator } = await billed();
    const invoice_uuid = await anInvoice(db, organization, { statuses: ["PENDING", "FAILED"] });
    const key = await notFound(db, { invoice_uuid, also_pays: [], amount: 300 });
    payments.fault = (when) => {
      if (when === "after") throw new AppError("SERVICE_UNAVAILABLE");
    };
    await expect(collectInvoice(deps, invoice_uuid)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    // Nor is it marked as paid, as it may be.
    await expect(markInvoicePaid(operator, "1", "cash")).rejects.toMatchObject({ code: "INVOICE_NOT_PAYABLE" });
    await settlePayment(deps, key, { kind: "accepted", ref: "pi_late" });
    payments.fault = () => undefined;
    await runJobs();
    expect([...payments.refunds.values()]).toEqual([{ charge: "pi_late", amount: 300 }]);
    await collectInvoice(deps, invoice_uuid);
    expect([payments.taken, (await invoices())[0]?.history]).toEqual([300, "PENDING FAILED ACCEPTED"]);
  });
});

describe("what waits for the bank of a card", () => {
  it.each([
    ["charged to another that was chosen since, and no more to it", false, ["refused", "accepted"]],
    ["paid with it where that was confirmed before", true, ["accepted"]],
  ])("is %s", async (_, isConfirmed, outcomes) => {
    const { plan, run, pass, bill, payments, manager, db, invoices } = await billed({ minutes: 0 });
    payments.answer = () => "requires_action";
    await plan();
    await run();
    await pass(7 * DAY);
    await bill();
    const path = `/v1/billing/transactions/${(await invoices())[0]!.uuid}/pay`;
    const pay = async () => (await manager.post(path, {})).json<{ outcome: string }>().outcome;
    expect(await pay()).toBe("requires_action");
    await db.updateTable("cards").set({ ref: "pm_other" }).execute();
    if (isConfirmed) for (const { outcome } of payments.charges.values()) payments.confirm(outcome.ref);
    payments.answer = ({ card }) => (card === "pm_other" ? "accepted" : "refused");
    expect(await pay()).toBe("accepted");
    expect([...payments.charges.values()].map(({ outcome }) => outcome.kind)).toEqual(outcomes);
    expect((await invoices())[0]?.history).toMatch(/ACCEPTED$/);
  });

  it("goes on to wait where a plan would end without it, or there is no other card", async () => {
    const { subscribe, payments, manager, db, invoices, stateOf } = await billed();
    payments.answer = () => "requires_action";
    const { uuid } = (await subscribe({ plan: "monthly" })).json<{ uuid: string }>();
    const path = `/v1/billing/transactions/${(await invoices())[0]!.uuid}/pay`;
    await db.updateTable("cards").set({ ref: "pm_other" }).execute();
    expect((await manager.post(path, {})).json()).toMatchObject({ outcome: "requires_action" });
    await db.deleteFrom("cards").execute();
    expect((await manager.post(path, {})).json()).toMatchObject({ outcome: "requires_action" });
    expect([await stateOf(uuid), payments.charges.size]).toEqual(["INCOMPLETE", 1]);
  });
});

it("is paid back in cash where it was paid so, also once the customer has confirmed a charge for it, which is paid back", async () => {
  const { db, deps, organization, payments, operator, runJobs, pass, confirm, invoices } = await billed();
  const uuid = await anInvoice(db, organization, { statuses: ["PENDING"] });
  payments.answer = () => "requires_action";
  const { ref } = await collectInvoice(deps, uuid);
  await markInvoicePaid(operator, "1", "cash");
  payments.confirm(ref);
  for (let time = 0; time < 2; time++) {
    await pass(HOUR);
    await confirm();
    await runJobs();
  }
  expect([...payments.refunds.values()]).toEqual([{ charge: ref, amount: 300 }]);
  await refundInvoice(operator, "1");
  await runJobs();
  expect([payments.refunds.size, (await invoices())[1]?.history]).toEqual([1, "PENDING ACCEPTED"]);
});

describe("an upfront plan whose renewal is refused", () => {
  it.each(["ACCEPTED", "VOID", "FAILED"] as const)("is left as it is without a card where it is %s", async (status) => {
    const { db, deps, organization, invoices } = await billed({ isPayable: false });
    const invoice = await anInvoice(db, organization, { statuses: ["PENDING", status] });
    await failWithoutCard(deps, invoice);
    expect((await invoices())[0]?.history).toBe(`PENDING ${status}`);
  });

  it("ends all the same where it is cancelled and restored again and again", async () => {
    const { manager, plan, payments, pass, bill, stateOf, invoices } = await billed();
    const { uuid } = await plan({ plan: "monthly", quantity: 1 });
    payments.answer = () => "refused";
    await pass(30 * DAY);
    for (let day = 0; day < 3; day++) {
      await bill();
      for (const cancel_at_period_end of [true, false]) await manager.put(`${PLANS}/${uuid}`, { cancel_at_period_end });
      await pass(DAY);
    }
    await bill();
    expect(await stateOf(uuid)).toBe("CANCELLED");
    expect((await invoices()).length).toBeLessThan(4);
  });
});

describe("the minutes of a trial", () => {
  it("end when they would have, also after a plan that was begun and cancelled", async () => {
    const { db, organization, plan, manager, license, clock, pass, start } = await billed();
    const ends = new Date(clock.now() + 2 * DAY);
    await db.updateTable("organizations").set({ license_expires_at: ends }).where("uuid", "=", organization).execute();
    const { uuid } = await plan();
    expect((await license()).license.expires_at).toBe(null);
    await manager.delete(`${PLANS}/${uuid}`);
    expect((await license()).license.expires_at).toBe(ends.toISOString());
    expect((await start()).statusCode).toBe(201);
    await pass(2 * DAY);
    expect(outcomeOf(await start())).toBe("403 LICENSE_EXPIRED");
  });
});

describe("a license that ends", () => {
  it.each(["fixed", "metered"] as const)("stops what runs ten minutes later where it is %s", async (license_type) => {
    const { db, clock, organization, run, pass, deps, announcedStop, instance, start, operator } = await billed();
    const license_expires_at = new Date(clock.now() + HOUR);
    await setTerms(operator, organization, { license_type, license_expires_at });
    const [phone, kept] = [await run(), await run()];
    await pass(HOUR - MINUTE);
    await stopUncovered.run(deps);
    expect((await announcedStop(phone))[1]).toBe("inactivity");
    await pass(MINUTE);
    await stopUncovered.run(deps);
    expect(await announcedStop(phone)).toEqual([10 * MINUTE, "license_expired"]);
    expect(outcomeOf(await start())).toBe("403 LICENSE_EXPIRED");
    await pass(10 * MINUTE - 1);
    await stopUncovered.run(deps);
    expect(await instance(phone)).toBe("ONLINE");
    // One that is given more time stops nothing.
    if (license_type === "metered") await setTerms(operator, organization, { license_expires_at: null });
    await pass(1);
    await stopUncovered.run(deps);
    const state = license_type === "metered" ? "ONLINE" : "STOPPING";
    expect([await instance(phone), await instance(kept)]).toEqual([state, state]);
    expect(await db.selectFrom("minute_entries").select("kind").execute()).toEqual([{ kind: "grant" }]);
  });
});

describe("a license that the operator has taken away", () => {
  it("stays so when a suspended plan is paid, and gives nothing back while a plan is suspended", async () => {
    const { run, pass, plan, bill, payments, operator, invoices, start, organization, stateOf, license } = await billed(
      { minutes: 0 },
    );
    const { uuid } = await plan();
    await run();
    await pass(7 * DAY);
    payments.answer = () => "refused";
    for (let week = 0; week < 2; week++) {
      await bill();
      await bill();
      await pass(7 * DAY);
    }
    expect(await stateOf(uuid)).toBe("SUSPENDED");
    const take = (license_is_active: boolean) => setTerms(operator, organization, { license_is_active });
    await take(false);
    await take(true);
    expect(outcomeOf(await start())).toBe("403 INVALID_LICENSE");
    await take(false);
    for (const { number, history } of await invoices())
      if (!history.endsWith("ACCEPTED")) await markInvoicePaid(operator, String(number), "by transfer");
    expect([await stateOf(uuid), (await license()).license.is_active]).toEqual(["ACTIVE", false]);
    expect(outcomeOf(await start())).toBe("403 INVALID_LICENSE");
    await take(true);
    expect([(await license()).license.is_active, (await start()).statusCode]).toEqual([true, 201]);
  });
});

describe("a plan that has ended unpaid", () => {
  it("is no hindrance to what the operator gives in its place, which one that is suspended is", async () => {
    const { db, clock, organization, operator, start, plan } = await billed();
    await plan();
    const set = (terms: Parameters<typeof setTerms>[2]) => setTerms(operator, organization, terms);
    await db.updateTable("organizations").set({ is_unpaid: true }).where("uuid", "=", organization).execute();
    await set({ license_type: "fixed" });
    expect(outcomeOf(await start())).toBe("403 INVALID_LICENSE");
    await db
      .updateTable("subscriptions")
      .set({ ended_at: new Date(clock.now()) })
      .execute();
    await set({ instances_max: 9 });
    await set({ license_is_active: false });
    await set({ license_type: "metered" });
    const owes = db.selectFrom("organizations").select("is_unpaid").where("uuid", "=", organization);
    expect(await owes.executeTakeFirst()).toEqual({ is_unpaid: true });
    await set({ license_is_active: true });
    expect((await start()).statusCode).toBe(201);
  });

  it.each([{ license_is_active: true }, { is_unpaid: false }])(
    "is no hindrance once the operator says %j",
    async (terms) => {
      const { db, clock, organization, operator, start, plan, audited } = await billed();
      await plan();
      await db.updateTable("organizations").set({ is_unpaid: true }).where("uuid", "=", organization).execute();
      const set = () => setTerms(operator, organization, terms);
      // One that is suspended is to be paid.
      const refused = await set().then(
        () => undefined,
        ({ code }: AppError) => code,
      );
      expect(refused).toBe("is_unpaid" in terms ? "PLAN_SUSPENDED" : undefined);
      expect(outcomeOf(await start())).toBe("403 INVALID_LICENSE");
      await db
        .updateTable("subscriptions")
        .set({ ended_at: new Date(clock.now()) })
        .execute();
      await set();
      expect((await start()).statusCode).toBe(201);
      expect((await audited()).findLast(({ action }) => action === "organization.set_license")?.details).toMatchObject({
        is_unpaid: false,
      });
    },
  );
});

describe("what the operator sets while a plan runs", () => {
  it.each([
    ["payg", { plan: "payg" }],
    ["monthly", { plan: "monthly", quantity: 1 }],
  ])("holds when %s has ended", async (_, wanted) => {
    const { db, organization, plan, manager, license, clock, pass, bill, operator, get, stateOf } = await billed();
    const trialEnds = new Date(clock.now() + 2 * DAY);
    const set = (terms: Parameters<typeof setTerms>[2]) => setTerms(operator, organization, terms);
    await db
      .updateTable("organizations")
      .set({ license_expires_at: trialEnds })
      .where("uuid", "=", organization)
      .execute();
    const { uuid, plan: kind } = await plan(wanted);
    const ends = new Date(clock.now() + 90 * DAY);
    if (kind !== "payg") await manager.put(`${PLANS}/${uuid}`, { cancel_at_period_end: true });
    await set({ license_expires_at: ends, instances_max: 7 });
    if (kind === "payg") await manager.delete(`${PLANS}/${uuid}`);
    else {
      await pass(Date.parse((await get(uuid)).current_period_end) - clock.now());
      await bill();
    }
    const { expires_at, max } = { max: (await license()).license.instances.max, ...(await license()).license };
    expect([await stateOf(uuid), expires_at, max]).toEqual(["CANCELLED", ends.toISOString(), 7]);
  });

  it("holds also where the plan waited for its first payment", async () => {
    const { organization, license, clock, payments, subscribe, operator, confirm, manager, pass, bill, db } =
      await billed();
    payments.answer = () => "requires_action";
    const { uuid } = (await subscribe({ plan: "monthly", quantity: 1 })).json<{ uuid: string }>();
    const ends = new Date(clock.now() + 90 * DAY);
    await setTerms(operator, organization, { license_expires_at: ends, instances_max: 7 });
    for (const { outcome } of payments.charges.values()) payments.confirm(outcome.ref);
    await confirm();
    await pass(3_000);
    await confirm();
    expect((await license()).license.expires_at).toBe(null);
    await manager.delete(`${PLANS}/${uuid}`);
    await pass(32 * DAY);
    await bill();
    const { license_expires_at, instances_max } = await db
      .selectFrom("organizations")
      .select(["license_expires_at", "instances_max"])
      .where("uuid", "=", organization)
      .executeTakeFirstOrThrow();
    expect([license_expires_at, instances_max]).toEqual([ends, 7]);
  });

  it("is no end of the license where the plan is paid in advance and renews, until it is cancelled for good", async () => {
    const { organization, plan, manager, clock, operator, license } = await billed();
    const { uuid } = await plan({ plan: "monthly", quantity: 1 });
    const license_expires_at = new Date(clock.now() + 40 * DAY);
    await expect(setTerms(operator, organization, { license_expires_at, instances_max: 9 })).rejects.toMatchObject({
      code: "PLAN_RENEWS",
    });
    expect((await license()).license.expires_at).toBe(null);
    const cancel = (cancel_at_period_end: boolean) => manager.put(`${PLANS}/${uuid}`, { cancel_at_period_end });
    await cancel(true);
    await setTerms(operator, organization, { license_expires_at });
    expect(outcomeOf(await cancel(false))).toBe("409 LICENSE_ENDS");
    await setTerms(operator, organization, { license_expires_at: null });
    expect((await cancel(false)).statusCode).toBe(200);
  });
});

it.each([
  ["ends with it, with nothing charged and whoever pays told, where the license ends before", 40, "CANCELLED", 1],
  ["is renewed once more where the license ends with that period", 61, "ACTIVE", 2],
  ["is renewed once more where the license ends later", 70, "ACTIVE", 2],
])("a plan that renews while the license has an end %s", async (_, days, becomes, invoiced) => {
  const { plan, pass, bill, db, organization, clock, stateOf, invoices, mails } = await billed();
  const { uuid } = await plan({ plan: "monthly", quantity: 1 });
  // As it was possible once.
  const license_expires_at = new Date(clock.now() + days * DAY);
  await db.updateTable("organizations").set({ license_expires_at }).where("uuid", "=", organization).execute();
  await pass(30 * DAY);
  await bill();
  const told = await mails();
  expect(told.map(({ text }) => /stays until \S+/.exec(text)?.[0])).toEqual(
    becomes === "CANCELLED" ? ["stays until 2026-04-02,"] : [],
  );
  expect(told.filter(({ text }) => text.includes("audit log"))).toEqual([]);
  await pass(2 * DAY);
  await bill();
  expect([await stateOf(uuid), (await invoices()).length]).toEqual([becomes, invoiced]);
});

describe("whoever pays is told", () => {
  it("that a renewal was refused, once, with what to do", async () => {
    const { plan, pass, bill, payments, mails, db, organization, manager, invoices } = await billed();
    await db
      .updateTable("organizations")
      .set({ name: "Fernworks", additional_billing_contact_email: "bills@fern.test" })
      .where("uuid", "=", organization)
      .execute();
    await plan({ plan: "monthly", quantity: 1 });
    await pass(30 * DAY);
    payments.answer = () => "refused";
    await bill();
    await bill();
    const { uuid } = (await invoices())[1]!;
    await manager.post(`/v1/billing/transactions/${uuid}/pay`, {});
    const told = await mails();
    expect(told.map(({ to_address }) => to_address).toSorted()).toEqual([manager.email, "bills@fern.test"].toSorted());
    for (const { subject, text, to_address } of told) {
      expect(subject).toBe("The renewal for Fernworks could not be charged");
      expect(text).toContain("Your card has insufficient funds.");
      expect(text).toContain("If it is not paid by 2026-04-02, the plan ends then.");
      expect(text).toContain(
        to_address === manager.email
          ? `Pay invoice: https://fern.test/administration/invoices/${uuid}?pay`
          : "Download PDF: https://fern.test/cloud/v1/billing/invoice-files/",
      );
    }
  });

  it.each([
    ["there is no card", false],
    ["nobody confirms it at the bank", true],
  ])("that a renewal was refused as %s", async (_, hasCard) => {
    const { plan, pass, bill, payments, mails, db } = await billed();
    await plan({ plan: "monthly", quantity: 1 });
    await pass(30 * DAY);
    payments.answer = () => "requires_action";
    if (!hasCard) await db.deleteFrom("cards").execute();
    await bill();
    const [told, ...rest] = await mails();
    expect([rest, told?.text]).toEqual([
      [],
      expect.stringContaining(hasCard ? "asks you to confirm" : "There is no card to pay with."),
    ]);
  });

  it.each([
    ["payg", "a minute of a device costs $0.04 in place of $0.05, from 2026-03-02 on", 0],
    ["monthly", "a device costs $0.04 a month in place of $206.00, from 2026-04-02 on", 0],
    // What renews it was asked for at the price before.
    ["monthly", "a device costs $0.04 a month in place of $206.00, from 2026-05-02 on", 30],
    ["annual", "a device costs $0.04 a year in place of $2,051.76, from 2027-03-02 on", 0],
  ])("of another price for %s: %s", async (name, says, days) => {
    const { plan, pass, bill, payments, mails, db, organization, operator } = await billed();
    await db.updateTable("organizations").set({ name: "Fernworks" }).where("uuid", "=", organization).execute();
    await plan({ plan: name });
    payments.fault = () => {
      throw new Error("gone");
    };
    await pass(days * DAY);
    await bill();
    // Which it is not about.
    await anInvoice(db, organization, { statuses: ["PENDING", "FAILED"] });
    await setPrice(operator, organization, 4);
    await setPrice(operator, organization, 4);
    const told = await mails();
    expect(told.map(({ subject }) => subject)).toEqual(["The price of the plan of Fernworks changes"]);
    expect(told[0]?.text).toContain(says);
    expect(told[0]?.text).toContain("https://fern.test/administration/billing");
  });

  it("until when a renewal can be paid that was asked for too late", async () => {
    const { plan, passUnmeasured, bill, payments, mails, get } = await billed();
    const { uuid } = await plan({ plan: "monthly", quantity: 1 });
    payments.answer = () => "refused";
    // The service was off when it was due, and when the plan would have ended.
    await passUnmeasured(40 * DAY);
    await bill();
    expect((await get(uuid)).renewal?.ends_at).toBe("2026-04-12T09:00:00.000Z");
    expect((await mails()).map(({ text }) => text)).toEqual([
      expect.stringContaining("If it is not paid by 2026-04-12, the plan ends then."),
    ]);
  });

  it.each(["paid", "called off", "over"])("nothing of a renewal that was refused, and is %s by then", async (what) => {
    const { plan, pass, bill, payments, mails, operator, invoices, manager } = await billed();
    const { uuid } = await plan({ plan: "monthly", quantity: 1 });
    await pass(30 * DAY);
    payments.answer = () => "refused";
    await bill();
    const renewal = (await invoices())[1]!;
    if (what === "paid") await markInvoicePaid(operator, String(renewal.number), "by transfer");
    if (what === "called off") await manager.put(`${PLANS}/${uuid}`, { cancel_at_period_end: true });
    if (what === "over") await pass(DAY);
    expect(await mails()).toEqual([]);
  });

  it("nothing of an overdue payment that is there by then", async () => {
    const { run, plan, pass, bill, payments, mails, operator, invoices } = await billed({ minutes: 0 });
    await plan();
    await run();
    await pass(7 * DAY);
    payments.answer = () => "refused";
    await bill();
    await bill();
    const payFirst = async () => {
      const failed = (await invoices()).find(({ history }) => history.endsWith("FAILED"));
      await markInvoicePaid(operator, String(failed?.number), "by transfer");
    };
    await payFirst();
    expect(await mails()).toEqual([]);
    // Of two times, that which is so still.
    for (let time = 0; time < 2; time++) {
      if (time > 0) await payFirst();
      await pass(7 * DAY);
      await bill();
      await bill();
    }
    expect(await mails()).toHaveLength(1);
  });

  it.each([
    ["cancelled", []],
    ["cancelled meanwhile", []],
    ["agreed on anew", ["costs $0.05 a month in place of $206.00"]],
    ["what it was by then", []],
    [
      "what it was after that was told",
      ["costs $0.04 a month in place of $206.00", "costs $206.00 a month in place of $0.04"],
    ],
  ])("nothing of another price where the plan is %s", async (what, says) => {
    const { plan, mails, organization, operator, manager } = await billed();
    const { uuid } = await plan({ plan: "monthly", quantity: 1 });
    const cancel = () => manager.put(`${PLANS}/${uuid}`, { cancel_at_period_end: true });
    if (what === "cancelled") await cancel();
    await setPrice(operator, organization, 4);
    if (what === "cancelled meanwhile") await cancel();
    if (what === "agreed on anew") await setPrice(operator, organization, 5);
    if (what.endsWith("told")) await mails();
    if (what.startsWith("what it was")) await setPrice(operator, organization, 20_600);
    const told = (await mails()).map(({ text }) => /costs \S+ a month in place of \$\d+\.\d+/.exec(text)?.[0] ?? "");
    expect(told.toSorted()).toEqual(says.toSorted());
  });

  it("of another price when a plan that was cancelled is restored, and not where it is the same", async () => {
    const { plan, mails, organization, operator, manager } = await billed();
    const { uuid } = await plan({ plan: "monthly", quantity: 2 });
    const cancel = (cancel_at_period_end: boolean) => manager.put(`${PLANS}/${uuid}`, { cancel_at_period_end });
    await cancel(true);
    await cancel(false);
    expect(await mails()).toEqual([]);
    await cancel(true);
    await setPrice(operator, organization, 400);
    await cancel(false);
    expect((await mails()).map(({ text }) => text)).toEqual([
      expect.stringContaining("costs $4.00 a month in place of $206.00, from 2026-04-02 on"),
    ]);
  });

  it("of the price that is charged then, once, also where the renewal before was called off and is asked for anew", async () => {
    const { plan, pass, bill, payments, mails, organization, operator, manager, invoices, get, clock } = await billed();
    const { uuid } = await plan({ plan: "monthly", quantity: 2 });
    const cancel = (cancel_at_period_end: boolean) => manager.put(`${PLANS}/${uuid}`, { cancel_at_period_end });
    payments.answer = () => "refused";
    await pass(30 * DAY);
    await bill();
    await setPrice(operator, organization, 400);
    expect((await get(uuid)).items[0]?.plan.price).toBe(400);
    expect((await get(uuid)).renewal).toEqual({ price: 20_600, ends_at: (await get(uuid)).current_period_end });
    const [told] = (await mails()).filter(({ subject }) => subject.startsWith("The price"));
    expect(told?.text).toContain("from 2026-05-02 on");
    expect(told?.text).toContain("The new price is charged on 2026-05-01. Until then, the plan can be cancelled.");
    for (const is of [true, false]) await cancel(is);
    payments.answer = () => "accepted";
    await bill();
    await pass(Date.parse((await get(uuid)).current_period_end) - DAY - clock.now());
    await bill();
    await bill();
    expect((await invoices()).map(({ net, history }) => [net, history.split(" ").at(-1)])).toEqual([
      [41_200, "ACCEPTED"],
      [41_200, "VOID"],
      [41_200, "ACCEPTED"],
      [800, "ACCEPTED"],
    ]);
  });

  it.each(["asked for by mail", undefined])(
    "that the operator has cancelled the plan, and until when it stays: %s",
    async (reason) => {
      const { plan, mails, organization, operator, stateOf, get, db, audited } = await billed();
      await db.updateTable("organizations").set({ name: "Fernworks" }).where("uuid", "=", organization).execute();
      const { uuid } = await plan({ plan: "monthly", quantity: 2 });
      const by = { ...operator.by, ...(reason !== undefined && { reason }) };
      for (let time = 0; time < 2; time++) await cancelPlan({ ...operator, by }, organization);
      expect([await stateOf(uuid), (await get(uuid)).cancel_at_period_end]).toEqual(["ACTIVE", true]);
      expect((await audited()).filter(({ action }) => action === "subscription.cancel")).toHaveLength(1);
      const told = await mails();
      expect(told.map(({ subject }) => subject)).toEqual(["The plan of Fernworks is cancelled"]);
      expect(told[0]?.text).toContain("stays until 2026-04-02");
      expect(told[0]?.text.includes("Your audit log says why.")).toBe(reason !== undefined);
    },
  );

  it.each([
    ["payg", ["The plan of Fernworks has ended"]],
    ["monthly", []],
  ])(
    "only that a plan ended which the operator ends at once, and nothing of one whose start nobody confirmed: %s",
    async (plan, subjects) => {
      const { subscribe, payments, mails, organization, operator, stateOf } = await billed();
      payments.answer = () => "requires_action";
      const { uuid } = (await subscribe({ plan, quantity: 1 })).json();
      await cancelPlan(operator, organization);
      expect(await stateOf(uuid)).toBe("CANCELLED");
      expect((await mails()).map(({ subject }) => subject)).toEqual(subjects);
    },
  );

  it.each([
    ["payg", "as it was cancelled. Devices that ran have stopped."],
    ["monthly", "as it was cancelled. Devices that run stop 10 minutes later."],
    ["refused", "as its renewal could not be charged. Devices that run stop 10 minutes later."],
  ])("why a plan has ended, and what that stops: %s", async (how, says) => {
    const { plan, pass, bill, payments, mails, manager } = await billed();
    const { uuid } = await plan({ plan: how === "payg" ? "payg" : "monthly" });
    if (how === "refused") payments.answer = () => "refused";
    else await manager.delete(`${PLANS}/${uuid}`);
    for (const days of [30, 1]) {
      await pass(days * DAY);
      await bill();
    }
    const told = (await mails()).filter(({ subject }) => subject.endsWith("has ended"));
    expect(told.map(({ text }) => text)).toEqual([expect.stringContaining(says)]);
    expect(told[0]?.text).toContain("You can choose a plan at any time.");
  });

  it("nothing of another price, and of when a plan will end, once it has ended", async () => {
    const { plan, mails, organization, operator, pass, bill } = await billed();
    await plan();
    await setPrice(operator, organization, 4);
    await cancelPlan(operator, organization);
    await plan({ plan: "monthly" });
    await cancelPlan(operator, organization);
    await pass(31 * DAY);
    await bill();
    const ended = expect.stringMatching(/has ended$/);
    expect((await mails()).map(({ subject }) => subject)).toEqual([ended, ended]);
  });

  it("nothing of a plan that the operator has cancelled and a manager has restored by then", async () => {
    const { plan, mails, organization, operator, manager } = await billed();
    const { uuid } = await plan({ plan: "monthly" });
    await cancelPlan(operator, organization);
    await manager.put(`${PLANS}/${uuid}`, { cancel_at_period_end: false });
    expect(await mails()).toEqual([]);
  });
});
