import type { Organization, Subscription } from "@terrarium/contract";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { anOrganization } from "../../testing/factories.ts";
import { outcomeOf } from "../../testing/sharing.ts";
import { deleteOldInstances } from "../instances/instances.jobs.ts";
import { moveInstance } from "../instances/move-instance.ts";
import { advance, listAdvancing } from "./advance.ts";
import { runBilling, settleOld, stopUncovered } from "./billing.jobs.ts";
import { addGrant, grantMinutes } from "./minutes.ts";
import { billDue, markInvoicePaid, refundInvoice, showDue } from "./operate-invoices.ts";
import { appendStatus, findPayer } from "./subscriptions.store.ts";
import { billed, PLANS } from "./testing/billed.ts";
import { copyRows, refuseWrites } from "./testing/others.ts";
import { anAddress, aSubscription, makePayable } from "./testing/plans.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe("minutes", () => {
  it("are taken from the balance, each begun minute of a device, while it runs", async () => {
    const { run, pass, stop, balance, license } = await billed();
    const phone = await run();
    await pass(61 * SECOND);
    expect((await balance()).minutes).toBe(58);
    expect((await license()).license.minuteBalance).toBe(58);
    await stop(phone);
    const second = await run();
    await pass(SECOND);
    await stop(second);
    expect(await balance()).toEqual({ minutes: 57, amount: 0, waiting: 0, currency: "USD" });
  });

  it("end starts when they are used up, and stop what runs ten minutes after its last one", async () => {
    const { run, pass, start, stop, deps, instance, announcedStop, db, balance, organization, operator } = await billed(
      {
        minutes: 3,
      },
    );
    const phone = await run();
    await pass(3 * MINUTE);
    await stopUncovered.run(deps);
    expect((await announcedStop(phone))[1]).toBe("inactivity");
    expect(outcomeOf(await start())).toBe("403 LICENSE_EXPIRED");
    await pass(SECOND);
    await stopUncovered.run(deps);
    expect(await announcedStop(phone)).toEqual([10 * MINUTE, "minutes_used_up"]);
    await pass(10 * MINUTE - SECOND);
    await stopUncovered.run(deps);
    expect([await announcedStop(phone), await instance(phone)]).toEqual([[SECOND, "minutes_used_up"], "ONLINE"]);
    await pass(SECOND);
    await stopUncovered.run(deps);
    expect(await instance(phone)).toBe("STOPPING");
    const { reason } = await db
      .selectFrom("instances")
      .select("reason")
      .where("uuid", "=", phone)
      .executeTakeFirstOrThrow();
    expect(reason).toBe("minutes_used_up");
    await stop(phone);
    // The minutes beyond are not taken from what is granted later.
    await grantMinutes({ ...operator, now: new Date(deps.clock.now()) }, organization, 5);
    expect((await balance()).minutes).toBe(5);
    expect((await start()).statusCode).toBe(201);
  });

  it.each([
    // What was used in the time between was free.
    ["a plan", [7 * 24 * 60 * 5]],
    ["more minutes", []],
  ])("that are used up stop nothing once there is %s", async (help, billedLater) => {
    const { run, pass, deps, announcedStop, instance, plan, operator, organization, invoices, bill } = await billed({
      minutes: 3,
    });
    const phone = await run();
    await pass(4 * MINUTE);
    await stopUncovered.run(deps);
    expect(await announcedStop(phone)).toEqual([10 * MINUTE, "minutes_used_up"]);
    if (help === "a plan") await plan();
    else await grantMinutes({ ...operator, now: new Date(deps.clock.now()) }, organization, 60);
    await pass(MINUTE);
    await stopUncovered.run(deps);
    expect((await announcedStop(phone))[1]).toBe("inactivity");
    await pass(11 * MINUTE);
    await stopUncovered.run(deps);
    expect(await instance(phone)).toBe("ONLINE");
    await pass(7 * DAY);
    await bill();
    expect((await invoices()).map(({ net }) => net)).toEqual(billedLater);
  });

  it("that are used up stop devices also when another organization cannot be looked at", async () => {
    const { run, pass, deps, announcedStop, db } = await billed({ minutes: 1 });
    const phone = await run();
    const broken = await anOrganization(db, { license_type: "pending" });
    await copyRows(db, "instances", broken);
    await refuseWrites(db, "instances", "UPDATE", broken);
    await sql`UPDATE organizations SET license_expires_at = created_at WHERE uuid = ${broken}`.execute(db);
    await pass(2 * MINUTE);
    await stopUncovered.run(deps);
    expect((await announcedStop(phone))[1]).toBe("minutes_used_up");
  });

  it("that are used up stop the devices of one organization, whatever another has left", async () => {
    const { run, pass, deps, announcedStop, db, organization, clock } = await billed({ minutes: 1 });
    const phone = await run();
    const other = await anOrganization(db, { license_type: "pending" });
    await addGrant(db, other, 60, new Date(clock.now()));
    await copyRows(db, "instances", other);
    await db.updateTable("organizations").set({ name: "Last" }).where("uuid", "=", organization).execute();
    await pass(2 * MINUTE);
    await stopUncovered.run(deps);
    expect((await announcedStop(phone))[1]).toBe("minutes_used_up");
  });

  it("end with the trial: what runs is told, and stops ten minutes later", async () => {
    const { run, pass, deps, announcedStop, instance, db, organization, clock } = await billed();
    const license_expires_at = new Date(clock.now() + MINUTE);
    await db.updateTable("organizations").set({ license_expires_at }).where("uuid", "=", organization).execute();
    const phone = await run();
    await stopUncovered.run(deps);
    expect((await announcedStop(phone))[1]).toBe("inactivity");
    await pass(MINUTE);
    await stopUncovered.run(deps);
    expect(await announcedStop(phone)).toEqual([10 * MINUTE, "license_expired"]);
    await pass(10 * MINUTE);
    await stopUncovered.run(deps);
    expect(await instance(phone)).toBe("STOPPING");
  });

  it("are as the gateway has measured, whatever the clock says, and end with its last sign of life", async () => {
    const { run, pass, passUnmeasured, stop, balance, db, clock } = await billed({ minutes: 1000 });
    const back = await run();
    await pass(90 * SECOND);
    // Set back by an hour.
    await db
      .updateTable("instances")
      .set({ measured_at: new Date(clock.now() - HOUR) })
      .where("uuid", "=", back)
      .execute();
    await moveInstance(db, { uuid: back, event: "fail", now: new Date(clock.now() - HOUR) });
    expect((await balance()).minutes).toBe(998);
    const forward = await run();
    await pass(30 * SECOND);
    // Set forward by a day.
    await moveInstance(db, { uuid: forward, event: "fail", now: new Date(clock.now() + DAY) });
    expect((await balance()).minutes).toBe(997);
    const lost = await run();
    await pass(60 * SECOND);
    await passUnmeasured(5 * HOUR);
    expect((await balance()).minutes).toBe(995);
    await moveInstance(db, { uuid: lost, event: "fail", reason: "gateway_gone", now: new Date(clock.now()) });
    expect((await balance()).minutes).toBe(995);
    await stop(lost);
  });

  it("are those that passed, however the system's clock is set", async () => {
    const { run, pass, stop, plan, bill, clock, invoices } = await billed({ minutes: 0, devices: 10 });
    await plan();
    const untilLeapDay = new Date("2028-02-28T23:40:00Z").getTime() - clock.now();
    const YEARS = 5 * 365 * DAY;
    const steps = [HOUR, -HOUR, -30 * DAY, untilLeapDay, YEARS];
    for (const step of steps) {
      const phone = await run();
      await pass(30 * MINUTE);
      clock.step(step);
      await pass(30 * MINUTE);
      await stop(phone);
      await bill();
    }
    await pass(8 * DAY);
    await bill();
    const billedInvoices = await invoices();
    const minutes = billedInvoices.reduce((sum, { net }) => sum + net / 5, 0);
    console.log(
      `The clock was set ${steps.length} times, by up to five years: ${minutes} minutes billed of ${60 * steps.length}, ` +
        `${billedInvoices.filter(({ net }) => net < 0).length} negative`,
    );
    expect(minutes).toBe(60 * steps.length);
  }, 30_000);

  it("are not owed again when the clock is set back before an upfront plan ends", async () => {
    const { run, pass, stop, plan, clock, deps, db, organization, balance } = await billed({ minutes: 100 });
    const phone = await run();
    await pass(30 * MINUTE);
    await stop(phone);
    const { uuid } = await plan({ plan: "monthly", quantity: 1 });
    await db
      .updateTable("subscriptions")
      .set({ period_ends_at: new Date(clock.now()), period_began_at: new Date(clock.now() - DAY) })
      .where("uuid", "=", uuid)
      .execute();
    clock.step(-HOUR);
    await db
      .updateTable("subscriptions")
      .set({ period_ends_at: new Date(clock.now()) })
      .where("uuid", "=", uuid)
      .execute();
    await db
      .updateTable("subscription_statuses")
      .set({ cancel_at_period_end: true })
      .where("subscription_uuid", "=", uuid)
      .execute();
    await runBilling.run(deps);
    const license = db.selectFrom("organizations").select("license_type").where("uuid", "=", organization);
    expect(await license.executeTakeFirst()).toEqual({ license_type: "pending" });
    await pass(2 * HOUR);
    expect((await balance()).minutes).toBe(70);
  });

  it("do not count for devices that were paid in advance, or that the operator has agreed", async () => {
    const { run, pass, db, organization, balance } = await billed();
    await db.updateTable("organizations").set({ license_type: "fixed" }).where("uuid", "=", organization).execute();
    await run();
    await db.updateTable("organizations").set({ license_type: "metered" }).where("uuid", "=", organization).execute();
    await run();
    await pass(HOUR);
    expect((await balance()).minutes).toBe(60);
  });

  it("outlive their device until they are billed", async () => {
    const { run, pass, stop, plan, bill, db, deps, invoices, lines, clock } = await billed({ minutes: 0 });
    await plan();
    const phone = await run();
    await pass(10 * MINUTE);
    await stop(phone);
    const ended = await run();
    await stop(ended);
    for (const event of ["stopped", "deleted"] as const)
      await moveInstance(db, { uuid: phone, event, now: new Date(clock.now()) });
    await pass(2 * DAY);
    await deleteOldInstances.run({ ...deps, retention: { historyDays: 1 } });
    expect(await db.selectFrom("instances").select("uuid").execute()).toEqual([{ uuid: ended }]);
    const runs = await db.selectFrom("runs").select("used_ms").orderBy("used_ms").execute();
    expect(runs).toEqual([{ used_ms: 0 }, { used_ms: 10 * MINUTE }]);
    await pass(6 * DAY);
    await bill();
    const [invoice, ...others] = await invoices();
    expect([invoice?.net, others]).toEqual([50, []]);
    expect(await lines(invoice?.uuid ?? "")).toMatchObject([{ quantity: 10 }]);
    expect(await db.selectFrom("runs").select("instance_uuid").execute()).toEqual([{ instance_uuid: ended }]);
  });

  it("of a trial are settled after a week, and are the same", async () => {
    const { run, pass, stop, db, deps, balance, clock, organization } = await billed();
    const unused = await anOrganization(db, { license_type: "pending" });
    await stop(await run().then(async (uuid) => (await pass(5 * MINUTE), uuid)));
    const going = await run();
    await pass(8 * DAY - 1);
    await db
      .updateTable("instances")
      .set({ ran_ms: 7 * MINUTE })
      .where("uuid", "=", going)
      .execute();
    const before = (await balance()).minutes;
    await settleOld.run(deps);
    expect(await db.selectFrom("minute_entries").select(["kind", "minutes"]).orderBy("minutes").execute()).toEqual([
      { kind: "use", minutes: -12 },
      { kind: "grant", minutes: 60 },
    ]);
    expect((await balance()).minutes).toBe(before);
    await settleOld.run(deps);
    expect((await balance()).minutes).toBe(before);
    const minutes_settled_at = new Date(clock.now());
    await stop(going);
    await pass(6 * DAY);
    await settleOld.run(deps);
    const settled = await db.selectFrom("organizations").select(["uuid", "minutes_settled_at"]).execute();
    expect(settled).toContainEqual({ uuid: organization, minutes_settled_at });
    expect(settled).toContainEqual({ uuid: unused, minutes_settled_at: null });
  });
});

describe("POST /v1/billing/subscriptions", () => {
  it("requires an address, a card, paid invoices, and no other plan", async () => {
    const { db, subscribe, organization, plan } = await billed({ isPayable: false });
    expect(outcomeOf(await subscribe({ plan: "payg" }))).toBe("409 BILLING_ADDRESS_MISSING");
    await makePayable(db, organization);
    await db.updateTable("cards").set({ is_default: false }).execute();
    expect(outcomeOf(await subscribe({ plan: "payg" }))).toBe("409 PAYMENT_METHOD_MISSING");
    await db.updateTable("cards").set({ is_default: true }).execute();
    await plan();
    expect(outcomeOf(await subscribe({ plan: "payg" }))).toBe("409 OTHER_PLAN_ACTIVE");
    expect(outcomeOf(await subscribe({ plan: "monthly", quantity: 1 }))).toBe("409 OTHER_PLAN_ACTIVE");
    await db.deleteFrom("subscriptions").execute();
    await db.updateTable("organizations").set({ license_type: "fixed" }).execute();
    expect(outcomeOf(await subscribe({ plan: "payg" }))).toBe("409 OTHER_PLAN_ACTIVE");
    await db.updateTable("organizations").set({ license_type: "pending", license_is_active: false }).execute();
    expect(outcomeOf(await subscribe({ plan: "payg" }))).toBe("403 INVALID_LICENSE");
  });

  it.each([
    [{ plan: "weekly" }, "plan"],
    [{ plan: "monthly", quantity: 0 }, "quantity"],
    [{ plan: "annual", quantity: 21 }, "quantity"],
    [{ plan: "monthly", quantity: 1.5 }, "quantity"],
  ])("refuses %j", async (body, field) => {
    const { subscribe } = await billed();
    const reply = await subscribe(body);
    expect([reply.statusCode, reply.json().fields[0].field]).toEqual([400, field]);
  });

  it("starts pay-as-you-go with nothing to pay, after what was free", async () => {
    const { run, pass, plan, license, balance, payments, invoices, usage } = await billed();
    await run();
    await pass(10 * MINUTE);
    const { uuid, items, is_active, quantity } = await plan({ plan: "payg", quantity: 5 });
    expect([is_active, items[0]?.plan.price, items[0]?.plan.usage_type, quantity]).toEqual([true, 5, "metered", 1]);
    expect((await license()).license).toMatchObject({ type: "metered", minuteBalance: 50, subscription: { uuid } });
    await pass(55 * MINUTE);
    expect(await balance()).toEqual({ minutes: 0, amount: 25, waiting: 0, currency: "USD" });
    expect(await usage(uuid)).toMatchObject({
      minutes: 55,
      free_minutes: 50,
      billed_minutes: 5,
      current_usage_cents: 25,
      threshold_cents: 5_000,
    });
    expect([payments.taken, await invoices()]).toEqual([0, []]);
  });

  it.each([
    ["monthly", 3, 61_800, "2026-04-02T09:00:00.000Z"],
    ["annual", 2, 410_352, "2027-03-02T09:00:00.000Z"],
  ])("charges %s for %d devices at once", async (plan, quantity, price, until) => {
    const { subscribe, license, payments, invoices, lines, run, pass, balance } = await billed();
    await run();
    await pass(2 * MINUTE);
    const from = (await license()).license.minuteBalance;
    const reply = (await subscribe({ plan, quantity })).json<Subscription>();
    expect(reply).toMatchObject({ plan, quantity, is_active: true, requires_action: null });
    expect(reply.current_period_end.slice(0, 10)).toBe(until.slice(0, 10));
    expect(payments.taken).toBe(price);
    const [invoice] = await invoices();
    expect(invoice).toMatchObject({ net: price, amount: price, history: "PENDING ACCEPTED" });
    expect(await lines(invoice!.uuid)).toMatchObject([{ quantity, amount: price }]);
    expect((await license()).license).toMatchObject({ type: "fixed", is_active: true, instances: { max: quantity } });
    // What ran before goes on, and counts no more.
    await pass(HOUR);
    expect((await balance()).minutes).toBe(from);
  });

  it("begins nothing when the card is refused, in the bank's words", async () => {
    const { subscribe, payments, invoices, license, manager } = await billed();
    payments.answer = () => "refused";
    const reply = await subscribe({ plan: "monthly", quantity: 1 });
    expect([outcomeOf(reply), reply.json().message]).toEqual(["402 CARD_REFUSED", "Your card has insufficient funds."]);
    expect((await invoices()).map(({ history }) => history)).toEqual(["PENDING FAILED VOID"]);
    const { is_debtor, license: found } = await license();
    expect([is_debtor, found.type, found.subscription]).toEqual([false, "pending", null]);
    payments.answer = () => "accepted";
    expect((await subscribe({ plan: "monthly", quantity: 1 })).statusCode).toBe(201);
    const list = (await manager.get(`${PLANS}?is_active=true`)).json();
    expect([list.count, list.next, list.results.length]).toEqual([1, null, 1]);
    expect((await manager.get(`${PLANS}?is_active=false`)).json().count).toBe(1);
  });

  it("waits for the customer's confirmation, for an hour", async () => {
    const { subscribe, payments, license, confirm, stateOf, pass, bill, invoices } = await billed();
    payments.answer = () => "requires_action";
    const asked = (await subscribe({ plan: "monthly", quantity: 1 })).json();
    const ref = [...payments.charges.values()][0]!.outcome.ref;
    expect(asked).toMatchObject({ is_active: false, requires_action: { client_secret: `${ref}_secret` } });
    expect((await license()).license.type).toBe("pending");
    await pass(5 * SECOND);
    await confirm();
    expect(await stateOf(asked.uuid)).toBe("INCOMPLETE");
    payments.confirm(ref);
    await pass(5 * SECOND);
    await confirm();
    expect(await stateOf(asked.uuid)).toBe("ACTIVE");
    expect((await license()).license.type).toBe("fixed");
    await pass(2 * HOUR);
    await bill();
    expect(await stateOf(asked.uuid)).toBe("ACTIVE");
    expect((await invoices()).map(({ history }) => history)).toEqual(["PENDING ACCEPTED"]);
  });

  it("ends a start that nobody confirms, and pays back what comes later", async () => {
    const { subscribe, payments, pass, bill, stateOf, confirm, runJobs, invoices, plan, db, clock } = await billed();
    const at = new Date(clock.now());
    const other = await aSubscription(db, await anOrganization(db), { plan: "annual", at });
    await appendStatus(db, other, { status: "ACTIVE", cancel_at_period_end: true, at });
    payments.answer = () => "requires_action";
    const { uuid } = (await subscribe({ plan: "monthly", quantity: 1 })).json();
    await pass(HOUR);
    await bill();
    expect(await stateOf(uuid)).toBe("CANCELLED");
    payments.confirm([...payments.charges.values()][0]!.outcome.ref);
    await pass(HOUR);
    await confirm();
    await runJobs();
    expect([payments.refunds.size, (await invoices())[0]?.history]).toEqual([1, "PENDING VOID"]);
    // Another start takes the place of one that is not confirmed.
    const again = (await subscribe({ plan: "annual", quantity: 1 })).json();
    await plan();
    expect(await stateOf(again.uuid)).toBe("CANCELLED");
  });

  it("is charged once when the provider's answer is lost", async () => {
    const { subscribe, payments, pass, bill, stateOf, invoices } = await billed();
    payments.fault = (when) => {
      if (when === "after") throw new Error("the connection broke");
    };
    const { uuid, is_active } = (await subscribe({ plan: "monthly", quantity: 1 })).json<Subscription>();
    expect([is_active, await stateOf(uuid)]).toEqual([false, "INCOMPLETE"]);
    expect(outcomeOf(await subscribe({ plan: "monthly", quantity: 1 }))).toBe("409 OTHER_PLAN_ACTIVE");
    payments.fault = () => undefined;
    await pass(2 * HOUR);
    await bill();
    expect(await stateOf(uuid)).toBe("ACTIVE");
    expect([payments.charges.size, payments.taken, (await invoices()).length]).toEqual([1, 20_600, 1]);
  });

  it.each(["pay-as-you-go", "metered"])(
    "starts pay-as-you-go as %s, which existing clients call it",
    async (called) => {
      const { plan } = await billed();
      expect(await plan({ plan: called })).toMatchObject({ plan: "payg", is_active: true });
    },
  );

  it("is refused at a price that the customer has not seen", async () => {
    const { subscribe } = await billed();
    expect(outcomeOf(await subscribe({ plan: "payg", price: 4 }))).toBe("409 PRICE_CHANGED");
    expect(outcomeOf(await subscribe({ plan: "monthly", price: 5 }))).toBe("409 PRICE_CHANGED");
    expect(outcomeOf(await subscribe({ plan: "payg", price: 5 }))).toBe("201");
  });

  it("covers no more devices than it is for, also those that start while the customer confirms", async () => {
    const { run, subscribe, payments, instance } = await billed();
    const first = await run();
    const second = await run();
    expect(outcomeOf(await subscribe({ plan: "monthly", quantity: 1 }))).toBe("403 TOO_MANY_RUNNING_VDS");
    expect(payments.taken).toBe(0);
    expect((await subscribe({ plan: "monthly", quantity: 2 })).statusCode).toBe(201);
    expect([await instance(first), await instance(second)]).toEqual(["ONLINE", "ONLINE"]);

    const late = await billed();
    late.payments.answer = () => "requires_action";
    const before = await late.run();
    await late.subscribe({ plan: "monthly", quantity: 1 });
    await late.pass(SECOND);
    const meanwhile = await late.run();
    late.payments.confirm([...late.payments.charges.values()][0]!.outcome.ref);
    await late.pass(5 * SECOND);
    await late.confirm();
    expect((await late.license()).license.type).toBe("fixed");
    expect([await late.instance(before), await late.instance(meanwhile)]).toEqual(["ONLINE", "STOPPING"]);
  });

  it("has nothing to do with what only waits", async () => {
    const { run, subscribe, instance, db, clock } = await billed();
    await run();
    const waiting = await run();
    const waits = { state: "CREATING" as const, queued_at: new Date(clock.now()), lease_holder: null };
    await db.updateTable("instances").set(waits).where("uuid", "=", waiting).execute();
    expect((await subscribe({ plan: "monthly", quantity: 1 })).statusCode).toBe(201);
    expect(await instance(waiting)).toBe("CREATING");
  });

  it("meters what was paid in advance and goes on, from now on", async () => {
    const { run, pass, plan, db, clock, deps, manager, announcedStop, balance } = await billed({ minutes: 60 });
    const { uuid } = await plan({ plan: "monthly", quantity: 1 });
    const phone = await run();
    await pass(10 * MINUTE);
    await manager.delete(`${PLANS}/${uuid}`);
    await db
      .updateTable("subscriptions")
      .set({ period_ends_at: new Date(clock.now()) })
      .where("uuid", "=", uuid)
      .execute();
    await runBilling.run(deps);
    await stopUncovered.run(deps);
    expect(await announcedStop(phone)).toEqual([10 * MINUTE, "plan_ended"]);
    await plan();
    await stopUncovered.run(deps);
    expect((await announcedStop(phone))[1]).toBe("inactivity");
    expect((await balance()).minutes).toBe(60);
    await pass(20 * MINUTE);
    expect((await balance()).minutes).toBe(40);
  });

  it("leaves a license that the operator has taken away as it is, when it ends or is confirmed late", async () => {
    const { plan, manager, db, license, subscribe, payments, pass, confirm } = await billed();
    const takeAway = () => db.updateTable("organizations").set({ license_is_active: false }).execute();
    const { uuid } = await plan();
    await takeAway();
    await manager.delete(`${PLANS}/${uuid}`);
    expect((await license()).license.is_active).toBe(false);
    expect(outcomeOf(await subscribe({ plan: "payg" }))).toBe("403 INVALID_LICENSE");
    await db.updateTable("organizations").set({ license_is_active: true }).execute();
    payments.answer = () => "requires_action";
    await subscribe({ plan: "monthly", quantity: 1 });
    await takeAway();
    payments.confirm([...payments.charges.values()][0]!.outcome.ref);
    await pass(5 * SECOND);
    await confirm();
    expect((await license()).license).toMatchObject({ type: "fixed", is_active: false });
  });

  it("can be tried again after a plan that was not paid, however many cards are refused", async () => {
    const { plan, run, stop, pass, bill, payments, stateOf, subscribe, invoices, operator, license } = await billed({
      minutes: 0,
    });
    const { uuid } = await plan();
    payments.answer = () => "refused";
    const phone = await run();
    await pass(20 * MINUTE);
    await stop(phone);
    for (let week = 0; week < 10; week++) {
      await pass(7 * DAY);
      await bill();
    }
    expect(await stateOf(uuid)).toBe("CANCELLED");
    await markInvoicePaid(operator, (await invoices())[0]!.uuid, "by transfer");
    expect(outcomeOf(await subscribe({ plan: "monthly", quantity: 1 }))).toBe("402 CARD_REFUSED");
    expect(outcomeOf(await subscribe({ plan: "monthly", quantity: 1 }))).toBe("402 CARD_REFUSED");
    payments.answer = () => "accepted";
    expect((await subscribe({ plan: "monthly", quantity: 1 })).statusCode).toBe(201);
    expect((await license()).license).toMatchObject({ type: "fixed", is_active: true });
  });

  it("starts one plan when two are asked for at once", async () => {
    const { subscribe, payments } = await billed();
    const replies = await Promise.all(Array.from({ length: 5 }, () => subscribe({ plan: "monthly", quantity: 1 })));
    expect(replies.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409]);
    expect(payments.taken).toBe(20_600);
  });
});

describe("pay-as-you-go", () => {
  it("is billed every seven days, and each minute once over the border", async () => {
    const { run, pass, stop, plan, bill, invoices, lines, payments, get, clock } = await billed({ minutes: 4 });
    const { uuid } = await plan();
    const began = clock.now();
    await pass(7 * DAY - 90 * SECOND);
    const phone = await run();
    await pass(95 * SECOND);
    await bill();
    await bill();
    await pass(60 * SECOND);
    await stop(phone);
    await pass(7 * DAY);
    await bill();
    const found = await invoices();
    // 90 s until the border are two minutes, of four that are free; 155 s are three.
    expect(found.map(({ net, balance_used, history }) => [net, balance_used, history])).toEqual([
      [0, 2, "PENDING ACCEPTED"],
      [0, 1, "PENDING ACCEPTED"],
    ]);
    const second = await run();
    await pass(4 * MINUTE);
    await stop(second);
    await pass(7 * DAY);
    await bill();
    const [, , invoice, ...others] = await invoices();
    expect([invoice?.net, invoice?.balance_used, invoice?.history, others]).toEqual([15, 1, "PENDING ACCEPTED", []]);
    expect((await lines(invoice!.uuid)).map(({ quantity, amount }) => [quantity, amount])).toEqual([
      [4, 20],
      [-1, -5],
    ]);
    expect(payments.taken).toBe(15);
    expect(Date.parse((await get(uuid)).current_period_start)).toBe(began + 21 * DAY);
  });

  it("has no invoice for weeks in which nothing was used", async () => {
    const { plan, pass, bill, invoices, get, clock } = await billed();
    const { uuid } = await plan();
    const began = clock.now();
    await pass(15 * DAY);
    await bill();
    expect(await invoices()).toEqual([]);
    expect(Date.parse((await get(uuid)).current_period_start)).toBe(began + 14 * DAY);
  });

  it("is charged for a week that is less than its provider takes with the next one", async () => {
    const { plan, run, stop, pass, bill, payments, invoices, license } = await billed({ minutes: 0, devices: 10 });
    payments.minimum = 50;
    await plan();
    for (const ran of [9, 10]) {
      const phone = await run();
      await pass(ran * MINUTE);
      await stop(phone);
      await pass(7 * DAY - ran * MINUTE);
      await bill();
    }
    const billedFor = (await invoices()).map(({ amount, history }) => [amount, history]);
    expect(billedFor).toEqual([
      [45, "PENDING PENDING ACCEPTED"],
      [50, "PENDING ACCEPTED"],
    ]);
    expect([payments.taken, (await license()).is_debtor]).toEqual([95, false]);
  });

  it("is billed earlier at the threshold, after which a week begins", async () => {
    const { run, pass, plan, bill, invoices, get, clock, db } = await billed({ minutes: 0 });
    const { uuid } = await plan();
    await addGrant(db, await anOrganization(db), 1_000, new Date(clock.now()));
    await run();
    await pass(999 * MINUTE);
    await bill();
    expect(await invoices()).toEqual([]);
    await pass(MINUTE);
    await bill();
    expect((await invoices()).map(({ net }) => net)).toEqual([5_000]);
    expect(Date.parse((await get(uuid)).current_period_end)).toBe(clock.now() + 7 * DAY);
  });

  it("catches up on weeks that were missed, each with its own minutes", async () => {
    const { run, pass, stop, plan, bill, invoices, clock } = await billed({ minutes: 0, devices: 10 });
    await plan();
    const began = clock.now();
    for (const minutes of [1_000, 2_000, 3_000]) {
      const phone = await run();
      await pass(minutes * MINUTE);
      await stop(phone);
      await pass(7 * DAY - minutes * MINUTE);
    }
    await bill();
    expect((await invoices()).map((row) => [row.number, row.net, row.period_began_at.getTime() - began])).toEqual([
      [1, 5_000, 0],
      [2, 10_000, 7 * DAY],
      [3, 15_000, 14 * DAY],
    ]);
  });

  it("is billed and ends at once when it is cancelled, and all devices stop", async () => {
    const { run, pass, plan, manager, invoices, instance, runJobs, payments, license, start } = await billed({
      minutes: 0,
    });
    const { uuid } = await plan();
    const devices = [await run(), (await start()).json().uuid];
    await pass(30 * MINUTE);
    const reply = await manager.delete(`${PLANS}/${uuid}`);
    expect(reply.json()).toMatchObject({ uuid, is_active: false });
    for (const device of devices) expect(await instance(device)).toBe("STOPPING");
    expect((await invoices()).map(({ net }) => net)).toEqual([150]);
    await runJobs();
    expect(payments.taken).toBe(150);
    expect((await license()).license).toMatchObject({ type: "pending", is_active: true, subscription: null });
    expect(outcomeOf(await start())).toBe("403 LICENSE_EXPIRED");
    expect(outcomeOf(await manager.delete(`${PLANS}/${uuid}`))).toBe("409 SUBSCRIPTION_ENDED");
    expect((await manager.get(`${PLANS}?is_active=true`)).json().results).toEqual([]);
  });

  it("is overdue, suspended and cancelled when it is not paid", async () => {
    const {
      run,
      pass,
      plan,
      bill,
      payments,
      stateOf,
      license,
      start,
      instance,
      announcedStop,
      deps,
      subscribe,
      invoices,
      operator,
      audited,
    } = await billed({
      minutes: 0,
      devices: 10,
    });
    const { uuid } = await plan();
    const phone = await run();
    await pass(7 * DAY);
    payments.answer = () => "refused";
    await bill();
    await bill();
    expect([await stateOf(uuid), (await license()).is_debtor]).toEqual(["OVERDUE", true]);
    expect((await start()).statusCode).toBe(201);
    await pass(7 * DAY);
    await bill();
    expect(await stateOf(uuid)).toBe("SUSPENDED");
    await stopUncovered.run(deps);
    expect(await announcedStop(phone)).toEqual([10 * MINUTE, "plan_suspended"]);
    await pass(10 * MINUTE);
    await stopUncovered.run(deps);
    expect(await instance(phone)).toBe("STOPPING");
    expect(outcomeOf(await start())).toBe("403 INVALID_LICENSE");
    await pass(23 * DAY);
    await bill();
    expect(await stateOf(uuid)).toBe("CANCELLED");
    expect((await audited()).map(({ action }) => action)).toContain("subscription.cancel");
    expect(outcomeOf(await start())).toBe("403 INVALID_LICENSE");
    expect(outcomeOf(await subscribe({ plan: "payg" }))).toBe("409 UNPAID_INVOICES");
    for (const { number, history } of await invoices())
      if (history.endsWith("FAILED")) await markInvoicePaid(operator, String(number), "by transfer");
    expect((await license()).is_debtor).toBe(false);
    expect((await subscribe({ plan: "payg" })).statusCode).toBe(201);
    expect((await start()).statusCode).toBe(201);
  });

  it("tells whoever pays of each step, once, with what comes next and a way to pay", async () => {
    const { run, pass, plan, bill, payments, db, organization, mails, manager } = await billed({ minutes: 0 });
    await db
      .updateTable("organizations")
      .set({ name: "Fernworks", additional_billing_contact_email: "bills@fern.test" })
      .where("uuid", "=", organization)
      .execute();
    const { uuid } = await plan();
    await run();
    await pass(7 * DAY);
    payments.answer = () => "refused";
    await bill();
    for (const [subject, waitMs, next] of [
      ["A payment of Fernworks is overdue", 7 * DAY, "If it is not paid by 2026-03-16, the plan is suspended"],
      ["The plan of Fernworks is suspended", 23 * DAY, "If it is not paid by 2026-04-08, the plan ends"],
      ["The plan of Fernworks has ended", 0, "as an invoice was not paid"],
    ] as const) {
      await bill();
      await bill();
      const told = (await mails()).filter((mail) => mail.subject === subject);
      expect(told.map(({ to_address }) => to_address).toSorted()).toEqual(
        [manager.email, "bills@fern.test"].toSorted(),
      );
      for (const { to_address, text } of told) {
        expect(text).toContain(next);
        expect(text).toMatch(
          to_address === manager.email
            ? /Pay invoice: https:\/\/fern\.test\/administration\/invoices\/[-\da-f]+\?pay/
            : /Download PDF: https:\/\/fern\.test\/cloud\/v1\/billing\/invoice-files\//,
        );
      }
      await pass(waitMs);
    }
    expect([uuid.length, (await mails()).length]).toEqual([36, 6]);
    // None can be chosen before that is paid.
    expect((await mails()).filter(({ text }) => text.includes("at any time"))).toEqual([]);
  });

  it("tells of an end that was asked for, and nothing of a start that came to nothing", async () => {
    const { plan, payments, subscribe, manager, db } = await billed();
    payments.answer = () => "refused";
    expect(outcomeOf(await subscribe({ plan: "monthly", quantity: 1 }))).toMatch(/CARD_REFUSED/);
    const told = async () =>
      (
        await sql<{ payload: { status: string } }>`SELECT payload FROM jobs WHERE name = 'mail-plan'`.execute(db)
      ).rows.map(({ payload }) => payload.status);
    expect(await told()).toEqual([]);
    const { uuid } = await plan();
    await manager.delete(`${PLANS}/${uuid}`);
    expect(await told()).toEqual(["CANCELLED"]);
  });

  it.each(["OVERDUE", "SUSPENDED"])("is active again when it was %s and all is paid", async (state) => {
    const { run, pass, plan, bill, payments, stateOf, operator, invoices, start, license } = await billed({
      minutes: 0,
    });
    const { uuid } = await plan();
    const phone = await run();
    await pass(7 * DAY);
    payments.answer = () => "refused";
    await bill();
    await bill();
    if (state === "SUSPENDED") {
      await pass(7 * DAY);
      await bill();
      await bill();
    }
    expect([await stateOf(uuid), phone.length]).toEqual([state, 36]);
    for (const { number } of await invoices()) {
      expect(await stateOf(uuid)).toBe(state);
      await markInvoicePaid(operator, String(number), "by transfer");
    }
    expect([await stateOf(uuid), (await license()).is_debtor]).toEqual(["ACTIVE", false]);
    expect((await start()).statusCode).toBe(201);
  });

  it("is overdue without a card", async () => {
    const { run, pass, plan, bill, db, stateOf, invoices } = await billed({ minutes: 0 });
    const { uuid } = await plan();
    await run();
    await pass(7 * DAY);
    await db.deleteFrom("cards").execute();
    await bill();
    await bill();
    expect([await stateOf(uuid), (await invoices())[0]?.history]).toEqual(["OVERDUE", "PENDING FAILED"]);
  });
});

describe("an upfront plan", () => {
  const monthly = { plan: "monthly", quantity: 2 };

  it("is renewed at the agreed price, on the same day of each month", async () => {
    const { plan, pass, bill, get, invoices, payments, clock } = await billed();
    await clock.advance(Date.parse("2027-01-31T12:00:00Z") - clock.now());
    const { uuid } = await plan(monthly);
    const ends = [];
    for (let month = 0; month < 3; month++) {
      const { current_period_end } = await get(uuid);
      ends.push(current_period_end.slice(0, 10));
      await pass(Date.parse(current_period_end) - DAY - clock.now());
      await bill();
      await bill();
    }
    expect(ends).toEqual(["2027-02-28", "2027-03-31", "2027-04-30"]);
    expect((await invoices()).map(({ net, history }) => [net, history])).toEqual(
      Array.from({ length: 4 }, () => [41_200, "PENDING ACCEPTED"]),
    );
    expect(payments.taken).toBe(4 * 41_200);
  });

  it("stays until its period ends when it is cancelled, and can be restored before", async () => {
    const { plan, manager, pass, bill, start, run, stateOf, license, instance, announcedStop, deps, audited } =
      await billed();
    const { uuid } = await plan(monthly);
    const cancel = (cancel_at_period_end: boolean) => manager.put(`${PLANS}/${uuid}`, { cancel_at_period_end });
    const once = (await cancel(true)).json();
    expect(once).toMatchObject({ cancel_at_period_end: true, is_active: true });
    expect((await cancel(true)).json()).toEqual(once);
    expect((await cancel(false)).json()).toMatchObject({ cancel_at_period_end: false, is_active: true });
    expect((await manager.delete(`${PLANS}/${uuid}`)).json()).toMatchObject({
      cancel_at_period_end: true,
      is_active: true,
    });
    const changes = (await audited()).filter(({ action }) => action.startsWith("subscription."));
    expect(changes.map(({ action, details }) => [action, details])).toEqual([
      ["subscription.start", expect.anything()],
      ["subscription.edit", { cancel_at_period_end: true }],
      ["subscription.edit", { cancel_at_period_end: false }],
      ["subscription.cancel", { plan: "monthly" }],
    ]);
    await pass(30 * DAY);
    await bill();
    const phone = await run();
    await pass(DAY);
    await bill();
    expect(await stateOf(uuid)).toBe("CANCELLED");
    await stopUncovered.run(deps);
    // There are free minutes, but not for what was paid in advance.
    expect(await announcedStop(phone)).toEqual([10 * MINUTE, "plan_ended"]);
    await pass(10 * MINUTE);
    await stopUncovered.run(deps);
    expect(await instance(phone)).toBe("STOPPING");
    const { license: found, is_debtor } = await license();
    expect(found).toMatchObject({ type: "pending", is_active: true, minuteBalance: 60, instances: { max: 2 } });
    expect([is_debtor, (await start()).statusCode]).toEqual([false, 201]);
    expect(outcomeOf(await cancel(false))).toBe("409 SUBSCRIPTION_ENDED");
  });

  it("ends with its period when its renewal fails, unless that is paid before", async () => {
    const { plan, pass, bill, payments, invoices, stateOf, license, operator, get, audited } = await billed();
    const { uuid } = await plan(monthly);
    payments.answer = () => "refused";
    await pass(30 * DAY);
    await bill();
    await bill();
    expect((await invoices()).map(({ history }) => history)).toEqual(["PENDING ACCEPTED", "PENDING FAILED"]);
    expect([await stateOf(uuid), (await license()).is_debtor]).toEqual(["ACTIVE", false]);
    const before = (await get(uuid)).current_period_end;
    await markInvoicePaid(operator, "2", "by transfer");
    expect(Date.parse((await get(uuid)).current_period_end)).toBeGreaterThan(Date.parse(before));
    await pass(31 * DAY);
    await bill();
    expect(await stateOf(uuid)).toBe("ACTIVE");
    await pass(DAY);
    await bill();
    await bill();
    expect(await stateOf(uuid)).toBe("CANCELLED");
    expect((await invoices()).at(-1)?.history).toBe("PENDING FAILED VOID");
    expect((await license()).is_debtor).toBe(false);
    expect((await audited()).map(({ action }) => action)).toContain("subscription.cancel");
  });

  it("goes on until its renewal is due while the payment provider does not answer, and as long as it may be paid", async () => {
    const { plan, pass, bill, payments, stateOf, get, db } = await billed();
    const { uuid } = await plan(monthly);
    const { current_period_end } = await get(uuid);
    await pass(30 * DAY);
    payments.fault = () => {
      throw new Error("gone");
    };
    await bill();
    // Nobody has asked the provider yet.
    await db.deleteFrom("payments").where("outcome", "=", "unknown").execute();
    await pass(10 * DAY);
    await bill();
    expect(await stateOf(uuid)).toBe("ACTIVE");
    await pass(25 * DAY);
    await bill();
    expect((await get(uuid)).ended_at).toBe(null);
    payments.fault = () => undefined;
    await pass(DAY);
    await bill();
    expect(Date.parse((await get(uuid)).current_period_end)).toBeGreaterThan(Date.parse(current_period_end));
  });

  it("is not renewed while its first payment may be paid", async () => {
    const { subscribe, pass, bill, payments, stateOf, invoices } = await billed();
    payments.fault = () => {
      throw new Error("gone");
    };
    const { uuid } = (await subscribe(monthly)).json<Subscription>();
    await pass(32 * DAY);
    await bill();
    expect([await stateOf(uuid), (await invoices()).length]).toEqual(["INCOMPLETE", 1]);
  });

  it("is left alone by a process that finds it ended meanwhile", async () => {
    const { plan, manager, pass, deps, stateOf } = await billed();
    const { uuid } = await plan(monthly);
    await manager.delete(`${PLANS}/${uuid}`);
    await pass(31 * DAY);
    const [due] = await listAdvancing(deps);
    await runBilling.run(deps);
    expect([await stateOf(uuid), await advance(deps, due!)]).toEqual(["CANCELLED", false]);
  });

  it("has a day for a renewal that came too late", async () => {
    const { plan, pass, bill, payments, stateOf, operator } = await billed();
    const { uuid } = await plan(monthly);
    payments.answer = () => "refused";
    await pass(40 * DAY);
    await bill();
    await pass(23 * HOUR);
    await bill();
    expect(await stateOf(uuid)).toBe("ACTIVE");
    await markInvoicePaid(operator, "2", "by transfer");
    await pass(2 * HOUR);
    await bill();
    expect(await stateOf(uuid)).toBe("ACTIVE");
  });
});

describe("what a plan has used", () => {
  it("is that of its devices, with no threshold, where it is paid in advance", async () => {
    const { plan, run, pass, usage, db } = await billed();
    const { uuid } = await plan({ plan: "monthly" });
    await run();
    await pass(10 * MINUTE);
    const other = await anOrganization(db);
    await copyRows(db, "runs", other);
    expect(await usage(uuid)).toMatchObject({ minutes: 10, free_minutes: 0, billed_minutes: 0, threshold_cents: null });
  });

  it("is nothing of what was used after it", async () => {
    const { plan, run, pass, usage, manager } = await billed();
    const { uuid } = await plan();
    const { ended_at } = (await manager.delete(`${PLANS}/${uuid}`)).json<Subscription>();
    await run();
    await pass(10 * MINUTE);
    expect(await usage(uuid)).toMatchObject({ minutes: 0, period_end: ended_at });
  });
});

describe("subscriptions", () => {
  it("are paid for by their organization, and stand where they do since their status changed", async () => {
    const { plan, manager, db, organization, clock } = await billed();
    const status_at = new Date(clock.now());
    const { uuid } = await plan({ plan: "monthly" });
    await clock.advance(HOUR);
    await manager.delete(`${PLANS}/${uuid}`);
    await anOrganization(db);
    await db.updateTable("organizations").set({ name: "Mossworks" }).where("uuid", "=", organization).execute();
    const payer = { organization: "Mossworks", status: "ACTIVE", cancel_at_period_end: true, status_at };
    expect(await findPayer(db, uuid)).toMatchObject(payer);
  });

  it("are for managers of their own organization alone", async () => {
    const { plan, as, manager, organization } = await billed();
    const { uuid } = await plan();
    const stranger = await as({ role: "manager" });
    const user = await as({ organization });
    for (const path of ["/v1/billing/balance", PLANS, `${PLANS}/${uuid}/usage`]) {
      expect(outcomeOf(await user.get(path))).toBe("403 FORBIDDEN");
      expect(outcomeOf(await (await as({ role: "guest" })).get(path))).toBe("403 FORBIDDEN");
      expect((await manager.get(path)).statusCode).toBe(200);
    }
    expect((await stranger.get(PLANS)).json().results).toEqual([]);
    expect(outcomeOf(await stranger.get(`${PLANS}/${uuid}/usage`))).toBe("404 SUBSCRIPTION_NOT_FOUND");
    expect(outcomeOf(await stranger.delete(`${PLANS}/${uuid}`))).toBe("404 SUBSCRIPTION_NOT_FOUND");
    expect(outcomeOf(await stranger.put(`${PLANS}/${uuid}`, { cancel_at_period_end: true }))).toBe(
      "404 SUBSCRIPTION_NOT_FOUND",
    );
    expect(outcomeOf(await manager.put(`${PLANS}/${uuid}`, { cancel_at_period_end: true }))).toBe(
      "409 PLAN_HAS_NO_PERIOD",
    );
    const told = (await user.get(`/v1/organizations/${organization}`)).json<Organization>().license;
    expect([told.minuteBalance, told.subscription]).toEqual([0, null]);
  });
});

describe("billing for the operator", () => {
  it("shows in a dry run what a run would bill, and writes nothing", async () => {
    const { run, pass, plan, deps, operator, invoices, db } = await billed({ minutes: 0 });
    await plan();
    await run();
    await pass(15 * DAY);
    const shown = await showDue(deps);
    expect([await invoices(), (await sql`SELECT id FROM jobs WHERE name = 'charge-invoice'`.execute(db)).rows]).toEqual(
      [[], []],
    );
    const billed_ = await billDue({ ...deps, by: operator.by });
    expect(billed_).toEqual(shown);
    expect(shown.length).toBeGreaterThanOrEqual(2);
    expect(await showDue(deps)).toEqual([]);
  });

  it("pays an invoice back once, all or a part, with a credit note", async () => {
    const { plan, operator, invoices, runJobs, payments, db } = await billed();
    await plan({ plan: "monthly", quantity: 1 });
    await expect(refundInvoice(operator, "1", 20_601)).rejects.toMatchObject({ code: "INVOICE_NOT_REFUNDABLE" });
    await expect(refundInvoice(operator, "7")).rejects.toMatchObject({ code: "INVOICE_NOT_FOUND" });
    expect(await refundInvoice(operator, "1", 600)).toEqual({ number: 2, amount: 600 });
    await runJobs();
    await runJobs();
    expect([...payments.refunds.values()].map(({ amount }) => amount)).toEqual([600]);
    expect((await invoices())[1]).toMatchObject({ nature: "CREDIT", amount: -600, history: "PENDING ACCEPTED" });
    const { rows } = await sql`SELECT description FROM invoice_lines WHERE amount < 0`.execute(db);
    expect(rows).toEqual([{ description: "Refund of invoice INV-000001" }]);
    await expect(refundInvoice(operator, "1", 600)).rejects.toMatchObject({ code: "INVOICE_NOT_REFUNDABLE" });
    await expect(markInvoicePaid(operator, "1", "twice")).rejects.toMatchObject({ code: "INVOICE_NOT_PAYABLE" });
  });

  it("pays back its share of the tax that was charged", async () => {
    const { plan, db, organization, operator, payments, runJobs } = await billed();
    const address = JSON.stringify({ ...anAddress, state: null, country: "DE" });
    await db.updateTable("organizations").set({ address }).where("uuid", "=", organization).execute();
    await plan({ plan: "monthly", total: 24_514 });
    await refundInvoice(operator, "1", 10_000);
    await runJobs();
    const rows = await db
      .selectFrom("invoices")
      .select(["net", "tax", "amount", sql<number>`tax_rate -> 'percentage'`.as("rate")])
      .select(sql<number>`(SELECT sum(amount)::integer FROM invoice_lines WHERE invoice_uuid = uuid)`.as("lines"))
      .orderBy("number")
      .execute();
    expect(rows).toEqual([
      { net: 20_600, tax: 3_914, amount: 24_514, rate: 19, lines: 20_600 },
      { net: -8_403, tax: -1_597, amount: -10_000, rate: 19, lines: -8_403 },
    ]);
    expect([payments.taken, ...[...payments.refunds.values()].map(({ amount }) => amount)]).toEqual([24_514, 10_000]);
  });
});
