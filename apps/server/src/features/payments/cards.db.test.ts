import { AppError, type Card } from "@terrarium/contract";
import { sql } from "kysely";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createLog } from "../../platform/log.ts";
import { JobWorker } from "../../platform/jobs/worker.ts";
import { createTestApp, type TestApp } from "../../testing/app.ts";
import { anOrganization } from "../../testing/factories.ts";
import { untilBlocked } from "../../testing/until-blocked.ts";
import type { PaymentProvider } from "./payment-provider.ts";
import { providerOf } from "./payments.ts";
import { removeCard } from "./remove-card.ts";

const path = "/v1/billing/cards";

async function setUp(more: Parameters<typeof createTestApp>[0] = {}) {
  const test = await createTestApp(more);
  const manager = await test.as({ role: "manager" });
  const organization = manager.user.organization_uuid ?? "";
  const add = async (token = "pm_card_visa", fields = {}) => {
    await test.clock.advance(1000);
    const answer = await manager.post(path, { token, ...fields });
    return { status: answer.statusCode, ...answer.json<Card & { code?: string; message?: string }>() };
  };
  const list = async () => (await manager.get(path)).json<{ count: number; results: Card[] }>().results;
  return { ...test, manager, organization, add, list };
}

/** A plan of an organization; `end` ends it. */
async function aPlan({ db }: Pick<TestApp, "db">, organization_uuid: string) {
  const uuid = randomUUID();
  const at = new Date("2026-03-01T00:00:00Z");
  await db
    .insertInto("subscriptions")
    .values({
      uuid,
      organization_uuid,
      plan: "payg",
      quantity: 1,
      price: 5,
      currency: "USD",
      period_began_at: at,
      period_ends_at: new Date("2026-03-08T00:00:00Z"),
      created_at: at,
    })
    .execute();
  return { end: () => db.updateTable("subscriptions").set({ ended_at: at }).where("uuid", "=", uuid).execute() };
}

describe("POST /v1/billing/cards", () => {
  it("adds test cards, shows what is on them, and makes the first the default", async () => {
    const { add, list } = await setUp();
    const added = [];
    for (const token of ["pm_card_visa", "pm_card_mastercard", "pm_card_amex"]) added.push(await add(token));
    expect(added.map(({ status, brand, last4, is_default }) => [status, brand, last4, is_default])).toEqual([
      [201, "visa", "4242", true],
      [201, "mastercard", "4444", false],
      [201, "amex", "0005", false],
    ]);
    expect(added[0]).toMatchObject({ exp_month: 12, exp_year: expect.any(Number) });
    expect(added).toMatchObject(await list());
  });

  it.each([
    ["pm_card_mastercard_prepaid", "CARD_PREPAID", "Prepaid cards are not supported."],
    ["pm_card_chargeDeclined", "CARD_REFUSED", "Your card was declined."],
    ["pm_card_chargeDeclinedInsufficientFunds", "CARD_REFUSED", "Your card has insufficient funds."],
    ["pm_card_chargeDeclinedExpiredCard", "CARD_REFUSED", "Your card has expired."],
    ["pm_card_unknown", "CARD_REFUSED", "The sandbox knows test cards only."],
  ])("refuses %s", async (token, code, message) => {
    const { add, list } = await setUp();
    expect(await add(token)).toMatchObject({ status: 402, code, message });
    expect(await list()).toEqual([]);
  });

  it.each(["", "pm_card visa", "../customers", "4242 4242 4242 4242", "x".repeat(251)])(
    "takes no %j for a card",
    async (token) => {
      const { add } = await setUp();
      expect(await add(token)).toMatchObject({ status: 400, code: "invalid_request" });
    },
  );

  it("keeps ten cards, also when they are added at once", async () => {
    let asked = 0;
    const all = Promise.withResolvers<void>();
    const together: PaymentProvider = {
      ...providerStub,
      addCard: async () => {
        const ref = `pm_${++asked}`;
        // Each has found that there is room.
        if (asked === 12) all.resolve();
        await all.promise;
        return { ref, brand: "visa", last4: "4242", expiryMonth: 1, expiryYear: 2030, funding: "credit" };
      },
    };
    const { add, list, db } = await setUp({ payments: together });
    const answers = await Promise.all(Array.from({ length: 12 }, () => add()));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      ...Array(10).fill(201),
      403,
      403,
    ]);
    const cards = await list();
    expect(cards).toHaveLength(10);
    expect(cards.filter(({ is_default }) => is_default)).toHaveLength(1);
    expect((await add()).code).toBe("TOO_MANY_CARDS");
    // The provider forgets the two.
    expect((await sql`SELECT FROM jobs WHERE name = ${removeCard.name}`.execute(db)).rows).toHaveLength(2);
  });

  it("adds a card of the provider once, and none of another organization's", async () => {
    const same: PaymentProvider = {
      ...providerStub,
      addCard: async () => ({
        ref: "pm_1",
        brand: "visa",
        last4: "4242",
        expiryMonth: 1,
        expiryYear: 2030,
        funding: "credit",
      }),
    };
    const { add, list, as } = await setUp({ payments: same });
    const [first, second] = await Promise.all([add("pm_1"), add("pm_1")]);
    expect([first?.status, second?.status, first?.uuid]).toEqual([201, 201, second?.uuid]);
    expect(await list()).toHaveLength(1);
    const other = await as({ role: "manager" });
    expect((await other.post(path, { token: "pm_1" })).json().code).toBe("CARD_REFUSED");
  });

  it("has an amount held on it, once, and keeps none that the bank refuses that for", async () => {
    const held: object[] = [];
    const forgotten: string[] = [];
    let refuses: "CARD_REFUSED" | "SERVICE_UNAVAILABLE" | undefined;
    const bank: PaymentProvider = {
      ...providerStub,
      addCard: async (_, ref) => ({
        ref,
        brand: "visa",
        last4: "4242",
        expiryMonth: 1,
        expiryYear: 2030,
        funding: "credit",
      }),
      async verifyCard(hold) {
        held.push(hold);
        if (refuses) throw new AppError(refuses, { message: "No." });
      },
      removeCard: async (ref) => void forgotten.push(ref),
    };
    const { add, list, organization, db, clock } = await setUp({ payments: bank });
    for (let time = 0; time < 2; time++) expect((await add("pm_1")).status).toBe(201);
    const hold = { customer: `cus_${organization}`, amount: 100, currency: "USD" };
    expect(held).toEqual([{ ...hold, card: "pm_1" }]);
    refuses = "CARD_REFUSED";
    expect(await add("pm_2")).toMatchObject({ status: 402, code: "CARD_REFUSED", message: "No." });
    // It may be asked again where there was no answer.
    refuses = "SERVICE_UNAVAILABLE";
    expect((await add("pm_3")).status).toBe(503);
    expect((await add("pm_4")).status).toBe(503);
    refuses = undefined;
    expect((await add("pm_4")).status).toBe(201);
    expect([await list(), forgotten]).toMatchObject([[{}, {}], ["pm_2"]]);
    // What the bank may hold is given back, and nobody has the card.
    held.length = 0;
    await clock.advance(60_000);
    const log = createLog("silent", "test");
    await new JobWorker({ db, clock, log, jobs: [removeCard], deps: { db, payments: bank } }).runDue();
    expect(held).toEqual(["pm_3", "pm_4"].map((card) => ({ ...hold, card })));
    expect([await list(), forgotten]).toMatchObject([
      [{}, {}],
      ["pm_2", "pm_3"],
    ]);
  });

  it("says so where nobody takes payments", async () => {
    const payments = providerOf({ hasSandbox: false }, undefined as never);
    const { add, manager } = await setUp({ payments });
    expect((await add()).code).toBe("PAYMENTS_NOT_AVAILABLE");
    expect((await manager.post(`${path}/setup`)).json().code).toBe("PAYMENTS_NOT_AVAILABLE");
  });
});

const providerStub: PaymentProvider = {
  name: "sandbox",
  publishableKey: null,
  minimum: 1,
  createCustomer: async ({ uuid }) => `cus_${uuid}`,
  setUpCard: async () => ({ clientSecret: "secret" }),
  addCard: () => Promise.reject(new Error("not here")),
  verifyCard: async () => undefined,
  removeCard: async () => undefined,
  charge: () => Promise.reject(new Error("not here")),
  findCharge: () => Promise.reject(new Error("not here")),
  findAsked: () => Promise.reject(new Error("not here")),
  cancelCharge: () => Promise.reject(new Error("not here")),
  refund: () => Promise.reject(new Error("not here")),
};

describe("the default card", () => {
  it("is one, whichever calls come at once", async () => {
    const { add, list, manager } = await setUp();
    const cards = [];
    for (let count = 0; count < 5; count++) cards.push(await add());
    const answers = await Promise.all(
      cards.flatMap(({ uuid }) => [
        manager.put(`${path}/${uuid}`, { is_default: true }),
        manager.put(`/v1/billing/payment-methods/${uuid}`),
      ]),
    );
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect((await list()).filter(({ is_default }) => is_default)).toHaveLength(1);
    const made = await manager.put(`${path}/${cards[3]?.uuid}`, { is_default: true });
    expect(made.json()).toMatchObject({ uuid: cards[3]?.uuid, is_default: true });
    expect((await list()).map(({ is_default }) => is_default)).toEqual([false, false, false, true, false]);
  });

  it("is a new card if one says so, and the oldest that is left when it is deleted", async () => {
    const { add, list, manager } = await setUp();
    await add("pm_card_visa");
    await add("pm_card_mastercard");
    const { uuid } = await add("pm_card_amex", { is_default: true });
    expect((await list()).map(({ is_default }) => is_default)).toEqual([false, false, true]);
    expect((await manager.delete(`${path}/${uuid}`)).statusCode).toBe(204);
    expect((await list()).map(({ brand, is_default }) => [brand, is_default])).toEqual([
      ["visa", true],
      ["mastercard", false],
    ]);
  });

  it("cannot be taken from all", async () => {
    const { add, manager } = await setUp();
    const { uuid } = await add();
    expect((await manager.put(`${path}/${uuid}`, { is_default: false })).statusCode).toBe(400);
  });
});

describe("DELETE /v1/billing/cards/:uuid", () => {
  it("deletes a card, and has the provider forget it", async () => {
    const { add, list, manager, db, clock, audited } = await setUp();
    const { uuid } = await add();
    expect((await manager.delete(`${path}/${uuid}`)).statusCode).toBe(204);
    expect(await list()).toEqual([]);
    expect((await manager.delete(`${path}/${uuid}`)).json().code).toBe("CARD_NOT_FOUND");
    const forgotten: string[] = [];
    const payments = { ...providerStub, removeCard: async (ref: string) => void forgotten.push(ref) };
    const log = { warn: () => undefined, error: () => undefined, info: () => undefined } as never;
    await new JobWorker({ db, clock, log, jobs: [removeCard], deps: { db, payments } }).runDue();
    expect(forgotten).toEqual([expect.stringMatching(/^pm_sandbox_/)]);
    expect((await audited()).map(({ action }) => action)).toEqual(expect.arrayContaining(["card.add", "card.delete"]));
  });

  it("refuses while a plan runs, whichever card it is", async () => {
    const { add, list, manager, db, organization } = await setUp();
    const [first, second] = [await add(), await add()];
    const plan = await aPlan({ db }, organization);
    for (const { uuid } of [first, second]) {
      const answer = await manager.delete(`${path}/${uuid}`);
      expect([answer.statusCode, answer.json().code]).toEqual([409, "CARD_IN_USE"]);
    }
    expect(await list()).toHaveLength(2);
    await aPlan({ db }, await anOrganization(db));
    await plan.end();
    expect((await manager.delete(`${path}/${first.uuid}`)).statusCode).toBe(204);
  });

  it("waits for a plan that begins at the same time, and then refuses", async () => {
    const { add, list, manager, db, organization } = await setUp();
    const { uuid } = await add();
    const deleting = await db.transaction().execute(async (trx) => {
      await trx.selectFrom("organizations").select("uuid").where("uuid", "=", organization).forNoKeyUpdate().execute();
      const answer = manager.delete(`${path}/${uuid}`);
      await untilBlocked(db);
      await aPlan({ db: trx }, organization);
      return { answer };
    });
    expect((await deleting.answer).json().code).toBe("CARD_IN_USE");
    expect(await list()).toHaveLength(1);
  });
});

it("begins to add a card, for managers only", async () => {
  const { manager, as, organization, add, call } = await setUp();
  const begun = await manager.post(`${path}/setup`);
  expect([begun.statusCode, begun.json()]).toEqual([
    201,
    { client_secret: expect.stringMatching(/^seti_/), provider: "sandbox", publishable_key: null },
  ]);
  await add();
  const others = [await as({ organization }), await as({ role: "guest" })];
  for (const { get, post } of others)
    for (const answer of [await get(path), await get("/v1/billing/payment-methods"), await post(`${path}/setup`)])
      expect(answer.statusCode).toBe(403);
  expect((await call("GET", path)).statusCode).toBe(401);
  const stranger = await as({ role: "manager" });
  expect((await stranger.get(path)).json()).toEqual({ count: 0, next: null, previous: null, results: [] });
});

it("lists cards as ways to pay", async () => {
  const { add, list, manager } = await setUp();
  await add();
  const [card] = await list();
  expect((await manager.get("/v1/billing/payment-methods")).json()).toMatchObject({
    count: 1,
    results: [{ uuid: card?.uuid, type: "CARD", is_default: true, card }],
  });
});

it("gives an organization one name at the provider, also when it is first needed twice", async () => {
  const { manager, db, organization } = await setUp();
  await Promise.all([manager.post(`${path}/setup`), manager.post(`${path}/setup`)]);
  expect(await db.selectFrom("customers").select(["organization_uuid", "ref"]).execute()).toEqual([
    { organization_uuid: organization, ref: `cus_sandbox_${organization}` },
  ]);
  expect(await anOrganization(db)).not.toBe(organization);
});
