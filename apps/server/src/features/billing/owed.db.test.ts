import { AppError, type InvoiceDetail } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { outcomeOf } from "../../testing/sharing.ts";
import { setTerms } from "../organizations/set-terms.ts";
import { runBilling, stopUncovered, writeOffWaiting } from "./billing.jobs.ts";
import { markInvoicePaid, refundInvoice } from "./operate-invoices.ts";
import { setPrice } from "./set-price.ts";
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
    const reasonOf = async (invoice: string) =>
      (await manager.get(`/v1/billing/transactions/${invoice}`)).json<InvoiceDetail>().reason;
    return { ...test, cancelAfterNine, histories, reasonOf };
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
    const { cancelAfterNine, subscribe, histories, payments, operator, invoices, runJobs } = await nineMinutes();
    await cancelAfterNine();
    payments.answer = () => "refused";
    expect(outcomeOf(await subscribe({ plan: "monthly" }))).toBe("402 CARD_REFUSED");
    payments.answer = () => "accepted";
    expect((await subscribe({ plan: "monthly" })).statusCode).toBe(201);
    expect(payments.taken).toBe(20_645);
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

  it("is written off at once where it is the price of a plan that is paid in advance", async () => {
    const { subscribe, invoices, reasonOf, deps, payments, histories } = await nineMinutes();
    await deps.db.updateTable("prices").set({ unlimited_monthly_cents: 20 }).execute();
    expect((await subscribe({ plan: "monthly" })).json()).toMatchObject({ is_active: true });
    expect([payments.taken, await histories()]).toEqual([0, [[20, "PENDING ACCEPTED"]]]);
    expect(await reasonOf((await invoices())[0]!.uuid)).toBe(WRITTEN_OFF);
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

describe("an upfront plan whose renewal is refused", () => {
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
    const { db, clock, organization, run, pass, deps, told, instance, start, operator } = await billed();
    const license_expires_at = new Date(clock.now() + HOUR);
    await setTerms(operator, organization, { license_type, license_expires_at });
    const [phone, kept] = [await run(), await run()];
    await pass(HOUR - MINUTE);
    await stopUncovered.run(deps);
    expect((await told(phone))[1]).toBe("inactivity");
    await pass(MINUTE);
    await stopUncovered.run(deps);
    expect(await told(phone)).toEqual([10 * MINUTE, "license_expired"]);
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
    expect(outcomeOf(await start())).toBe("403 INVALID_LICENSE");
    await set({ license_is_active: true });
    expect((await start()).statusCode).toBe(201);
  });
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
    await setPrice(operator, organization, 4);
    await setPrice(operator, organization, 4);
    const told = await mails();
    expect(told.map(({ subject }) => subject)).toEqual(["The price of the plan of Fernworks changes"]);
    expect(told[0]?.text).toContain(says);
    expect(told[0]?.text).toContain("https://fern.test/administration/billing");
  });
});
