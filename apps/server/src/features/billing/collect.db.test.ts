import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { anInvoice } from "../invoices/testing/an-invoice.ts";
import { collectInvoice, failWithoutCard, settlePayment } from "./collect.ts";
import { refundInvoice } from "./operate-invoices.ts";
import { billed, PLANS } from "./testing/billed.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

it("makes nobody a debtor for what has become too little to be charged", async () => {
  const { db, deps, organization, payments, license } = await billed();
  payments.minimum = 50;
  const uuid = await anInvoice(db, organization, { statuses: ["PENDING", "FAILED"], minutes: [9] });
  await db.updateTable("organizations").set({ is_debtor: true }).where("uuid", "=", organization).execute();
  await expect(collectInvoice(deps, uuid)).rejects.toMatchObject({ code: "INVOICE_NOT_PAYABLE" });
  expect((await license()).is_debtor).toBe(false);
});

it("asks nobody to confirm what is paid, and holds no invoice up with what is confirmed late", async () => {
  const { db, deps, organization, payments, invoices } = await billed();
  const lost = async (invoice_uuid: string) => {
    const uuid = randomUUID();
    const none = { uuid, ref: `none_${uuid}`, outcome: "refused" as const, card_uuid: null, card_ref: "pm" };
    const row = { ...none, invoice_uuid, also_pays: [], amount: 300, created_at: new Date(deps.clock.now()) };
    await db.insertInto("payments").values(row).execute();
    return uuid;
  };
  const [paid, failed] = [
    await anInvoice(db, organization, { statuses: ["PENDING", "FAILED"] }),
    await anInvoice(db, organization, { statuses: ["PENDING", "FAILED"] }),
  ];
  const late = [await lost(paid), await lost(failed)];
  await collectInvoice(deps, paid);
  for (const [index, key] of late.entries())
    await settlePayment(deps, key, { kind: "requires_action", ref: `pi_${index}`, clientSecret: "secret" });
  const open = db.selectFrom("payments").select("uuid").where("outcome", "=", "requires_action");
  expect(await open.execute()).toEqual([]);
  expect((await invoices()).map(({ history }) => history)).toEqual(["PENDING FAILED ACCEPTED", "PENDING FAILED"]);
  expect(payments.taken).toBe(300);
});

it.each(["is refused", "has no card"])("makes a debtor of whoever ends a plan, and %s", async (what) => {
  const { plan, run, pass, manager, payments, runJobs, license, db } = await billed({ minutes: 0 });
  const { uuid } = await plan();
  await run();
  await pass(MINUTE);
  payments.answer = () => "refused";
  if (what === "has no card") await db.deleteFrom("cards").execute();
  await manager.delete(`${PLANS}/${uuid}`);
  expect((await license()).is_debtor).toBe(false);
  await runJobs();
  expect((await license()).is_debtor).toBe(true);
});

it("knows no invoice that is not there", async () => {
  const { deps } = await billed();
  await expect(collectInvoice(deps, randomUUID())).rejects.toMatchObject({ code: "INVOICE_NOT_FOUND" });
});

it("is paid once: another charge is paid back if it was made, and nothing is charged again", async () => {
  const { db, deps, organization, payments, runJobs, invoices } = await billed();
  const uuid = await anInvoice(db, organization);
  await collectInvoice(deps, uuid);
  const [payment] = await db.selectFrom("payments").select("uuid").execute();
  await settlePayment(deps, payment!.uuid, { kind: "refused", ref: "pi_refused", reason: "No." });
  await settlePayment(deps, payment!.uuid, { kind: "accepted", ref: "pi_second" });
  await runJobs();
  expect([...payments.refunds.values()]).toEqual([{ charge: "pi_second", amount: 300 }]);
  expect(await collectInvoice(deps, uuid)).toMatchObject({ kind: "accepted" });
  expect([payments.charges.size, (await invoices())[0]?.history]).toEqual([1, "PENDING ACCEPTED"]);
});

it("is paid without a charge where there is nothing to pay", async () => {
  const { db, deps, organization, payments, invoices } = await billed();
  const uuid = await anInvoice(db, organization, { minutes: [] });
  expect(await collectInvoice(deps, uuid)).toMatchObject({ kind: "accepted" });
  expect([payments.charges.size, (await invoices())[0]?.history]).toEqual([0, "PENDING ACCEPTED"]);
});

it("says of each refusal that there was one", async () => {
  const { db, deps, organization, payments, invoices } = await billed();
  const uuid = await anInvoice(db, organization);
  payments.answer = () => "refused";
  for (let tries = 0; tries < 2; tries++) await collectInvoice(deps, uuid);
  expect((await invoices())[0]?.history).toBe("PENDING FAILED FAILED");
});

it("is not paid once it was written off", async () => {
  const { db, deps, organization, payments } = await billed();
  const uuid = await anInvoice(db, organization, { statuses: ["PENDING", "VOID"] });
  await expect(collectInvoice(deps, uuid)).rejects.toMatchObject({ code: "INVOICE_NOT_PAYABLE" });
  expect(payments.charges.size).toBe(0);
});

it("is paid with what comes in after a refusal, from which it is paid back", async () => {
  const { db, deps, organization, payments, operator, runJobs, invoices } = await billed();
  const uuid = await anInvoice(db, organization);
  payments.answer = () => "refused";
  await collectInvoice(deps, uuid);
  const [payment] = await db.selectFrom("payments").select("uuid").execute();
  await settlePayment(deps, payment!.uuid, { kind: "accepted", ref: "pi_late" });
  expect((await invoices())[0]?.history).toBe("PENDING FAILED ACCEPTED");
  await refundInvoice(operator, "1");
  await runJobs();
  expect([...payments.refunds.values()]).toEqual([{ charge: "pi_late", amount: 300 }]);
});

it("leaves an invoice alone that is being charged to a card that was added meanwhile", async () => {
  const { db, deps, organization, payments, invoices } = await billed();
  const uuid = await anInvoice(db, organization);
  payments.fault = () => {
    throw new Error("gone");
  };
  await expect(collectInvoice(deps, uuid)).rejects.toThrow("gone");
  await failWithoutCard(deps, uuid);
  expect((await invoices())[0]?.history).toBe("PENDING");
});

it("looks ever more rarely whether a customer has confirmed", async () => {
  const { db, deps, organization, payments, pass, confirm } = await billed();
  payments.answer = () => "requires_action";
  await collectInvoice(deps, await anInvoice(db, organization));
  let looks = 0;
  const find = payments.findCharge.bind(payments);
  payments.findCharge = (ref) => {
    looks++;
    return find(ref);
  };
  const looksAfter = async (ms: number) => {
    await pass(ms);
    await confirm();
    return looks;
  };
  expect([await looksAfter(2_000), await looksAfter(1_000), await looksAfter(60 * MINUTE)]).toEqual([0, 1, 2]);
  expect([await looksAfter(5 * MINUTE), await looksAfter(2 * MINUTE)]).toEqual([2, 3]);
});

it("is overdue once it is due, though nobody says that it was refused", async () => {
  const { plan, run, stop, pass, bill, payments, stateOf } = await billed({ minutes: 0 });
  const { uuid } = await plan();
  const phone = await run();
  await pass(MINUTE);
  await stop(phone);
  payments.fault = () => {
    throw new Error("gone");
  };
  for (let week = 0; week < 5; week++) {
    await pass(7 * DAY - (week === 0 ? MINUTE : 0));
    await bill();
  }
  expect(await stateOf(uuid)).toBe("ACTIVE");
  // Within its week.
  await pass(3 * DAY);
  await bill();
  expect(await stateOf(uuid)).toBe("OVERDUE");
});
