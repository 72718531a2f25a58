import { sql } from "kysely";
import { createHmac, randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { sandboxProvider } from "./sandbox-provider.ts";
import { stripeProvider } from "./stripe-provider.ts";
import { fakeStripe } from "./testing/fake-stripe.ts";

const events = "/v1/billing/stripe/events";
const confirmations = "/v1/billing/sandbox/confirmations";

async function aSandbox() {
  const test = await createTestApp();
  const manager = await test.as({ role: "manager" });
  const organization = manager.user.organization_uuid ?? "";
  const customer = `cus_sandbox_${organization}`;
  const sandbox = sandboxProvider(test);
  const charge = async (token: string, more: { key?: string; amount?: number } = {}) => {
    const { ref: card } = await sandbox.addCard(customer, token);
    const invoice = { uuid: randomUUID(), number: "1" };
    return sandbox.charge({ customer, card, amount: 500, currency: "USD", invoice, key: randomUUID(), ...more });
  };
  return { ...test, manager, customer, sandbox, charge };
}

describe("the sandbox", () => {
  it.each([
    ["pm_card_visa", { kind: "accepted" }],
    ["pm_card_chargeCustomerFail", { kind: "refused", reason: "Your card was declined." }],
    ["pm_card_authenticationRequired", { kind: "requires_action" }],
  ])("charges %s as its name says", async (token, outcome) => {
    const { charge, sandbox } = await aSandbox();
    const charged = await charge(token);
    expect(charged).toMatchObject(outcome);
    expect(await sandbox.findCharge(charged.ref)).toEqual(charged);
  });

  it("charges a key once, also at the same time and for another instance of it", async () => {
    const { db, clock, sandbox, customer } = await aSandbox();
    const { ref: card } = await sandbox.addCard(customer, "pm_card_visa");
    const invoice = { uuid: randomUUID(), number: "1" };
    const one = { customer, card, amount: 500, currency: "USD" as const, invoice, key: "key" };
    const others = Array.from({ length: 10 }, () => sandboxProvider({ db, clock }).charge(one));
    expect(new Set((await Promise.all(others)).map(({ ref }) => ref)).size).toBe(1);
    expect(await db.selectFrom("sandbox_charges").select("key").execute()).toHaveLength(1);
    await expect(sandbox.charge({ ...one, amount: 501 })).rejects.toThrow("another charge");
    expect(await sandbox.findAsked(customer, "key")).toEqual(await sandbox.charge(one));
    expect([await sandbox.findAsked(customer, "other"), await sandbox.findAsked("cus_other", "key")]).toEqual([
      null,
      null,
    ]);
  });

  it("charges no card that was removed, or of somebody else", async () => {
    const { sandbox, customer } = await aSandbox();
    const { ref: card } = await sandbox.addCard(customer, "pm_card_visa");
    const invoice = { uuid: randomUUID(), number: "1" };
    const one = { customer: "cus_other", card, amount: 500, currency: "USD" as const, invoice, key: "a" };
    expect((await sandbox.charge(one)).kind).toBe("refused");
    await sandbox.removeCard(card);
    expect((await sandbox.charge({ ...one, customer, key: "b" })).kind).toBe("refused");
  });

  it("pays back what was charged, once for a key, and no more than that", async () => {
    const { sandbox, charge } = await aSandbox();
    const { ref } = await charge("pm_card_visa");
    const refund = { charge: ref, amount: 300, key: "r1" };
    expect(await sandbox.refund(refund)).toEqual(await sandbox.refund(refund));
    await expect(sandbox.refund({ charge: ref, amount: 300, key: "r2" })).rejects.toThrow("so much");
    await sandbox.refund({ charge: ref, amount: 200, key: "r3" });
    const refused = await charge("pm_card_chargeCustomerFail");
    await expect(sandbox.refund({ charge: refused.ref, amount: 1, key: "r4" })).rejects.toThrow("so much");
  });

  it.each([
    [true, "accepted"],
    [false, "refused"],
  ])("takes the customer's answer once: %s", async (is_confirmed, outcome) => {
    const { sandbox, charge, manager, as } = await aSandbox();
    const asked = await charge("pm_card_authenticationRequired");
    const client_secret = asked.kind === "requires_action" ? asked.clientSecret : "";
    const stranger = await as({ role: "manager" });
    const body = { client_secret, is_confirmed };
    expect((await stranger.post(confirmations, body)).json().code).toBe("PAYMENT_NOT_FOUND");
    expect((await sandbox.findCharge(asked.ref)).kind).toBe("requires_action");
    expect((await manager.post(confirmations, body)).json()).toEqual({ outcome });
    expect((await manager.post(confirmations, { ...body, is_confirmed: !is_confirmed })).json()).toEqual({ outcome });
    expect((await sandbox.findCharge(asked.ref)).kind).toBe(outcome);
    expect((await sandbox.cancelCharge(asked.ref)).kind).toBe(outcome);
    const { ref } = await charge("pm_card_authenticationRequired");
    expect((await sandbox.cancelCharge(ref)).kind).toBe("refused");
    expect((await sandbox.findCharge(ref)).kind).toBe("refused");
  });

  it("begins a plan that the customer has confirmed", async () => {
    const { manager, db } = await aSandbox();
    await manager.post("/v1/billing/cards", { token: "pm_card_authenticationRequired" });
    const address = { street: "1 Moss Lane", city: "New York", postcode: "10004", country: "US" };
    await manager.post("/v1/billing/addresses", address);
    const started = await manager.post("/v1/billing/subscriptions", { plan: "monthly", quantity: 2 });
    const { client_secret } = started.json<{ requires_action: { client_secret: string } }>().requires_action;
    await manager.post(confirmations, { client_secret, is_confirmed: true });
    const jobs = await sql`SELECT FROM jobs WHERE name = 'look-at-payment'`.execute(db);
    expect(jobs.rows.length).toBeGreaterThan(0);
  });
});

describe("what Stripe tells", () => {
  async function setUp() {
    const stripe = await fakeStripe();
    const test = await createTestApp({ stripe: stripe.settings, payments: stripeProvider(stripe.settings) });
    const manager = await test.as({ role: "manager" });
    const setup = await manager.post("/v1/billing/cards/setup");
    const customer = [...stripe.rows.keys()].find((id) => id.startsWith("cus_")) ?? "";
    const ref = stripe.card(customer);
    const { uuid } = (await manager.post("/v1/billing/cards", { token: ref })).json<{ uuid: string }>();
    const tell = async (
      type: string,
      { id = `evt_${randomUUID()}`, at = test.clock.now(), secret = stripe.settings.webhookSecret, object = ref } = {},
    ) => {
      const payload = JSON.stringify({ id, type, data: { object: { id: object } } });
      const time = Math.floor(at / 1000);
      const v1 = createHmac("sha256", secret).update(`${time}.${payload}`).digest("hex");
      const headers = { "content-type": "application/json", "stripe-signature": `t=${time},v0=00,v1=${v1}` };
      const { statusCode } = await test.app.http.inject({ method: "POST", url: `/cloud${events}`, headers, payload });
      return statusCode;
    };
    const card = async () =>
      db.selectFrom("cards").select(["uuid", "last4", "expiry_year"]).where("uuid", "=", uuid).executeTakeFirst();
    const { db } = test;
    return { ...test, stripe, setup, ref, tell, card };
  }

  it("replaces a card that the bank has renewed, whatever the order of its messages", async () => {
    const { stripe, setup, ref, tell, card } = await setUp();
    expect(setup.json()).toMatchObject({ provider: "stripe", publishable_key: "pk_test_1" });
    const given = stripe.rows.get(ref)?.["card"] as Record<string, unknown>;
    Object.assign(given, { last4: "1111", exp_year: 2031 });
    expect(await tell("payment_method.automatically_updated")).toBe(204);
    expect(await card()).toMatchObject({ last4: "1111", expiry_year: 2031 });
    // One from before, which comes late: it is asked how things are now.
    expect(await tell("payment_method.updated")).toBe(204);
    expect(await card()).toMatchObject({ last4: "1111" });
  });

  it("is taken note of once", async () => {
    const { stripe, ref, tell, card, db } = await setUp();
    expect(await tell("payment_method.updated", { id: "evt_1" })).toBe(204);
    Object.assign(stripe.rows.get(ref)?.["card"] as object, { last4: "2222" });
    expect(await Promise.all([1, 2, 3].map(() => tell("payment_method.updated", { id: "evt_1" })))).toEqual([
      204, 204, 204,
    ]);
    expect(await card()).toMatchObject({ last4: "4242" });
    expect(await db.selectFrom("stripe_events").select("ref").execute()).toEqual([{ ref: "evt_1" }]);
  });

  it.each([
    ["another secret", { secret: "whsec_other" }],
    ["six minutes ago", { ago: 6 * 60_000 }],
    ["in six minutes", { ago: -6 * 60_000 }],
  ])("is refused when it was signed with or %s", async (_, { ago = 0, ...more }: { ago?: number; secret?: string }) => {
    const { tell, clock, db } = await setUp();
    expect(await tell("payment_method.updated", { ...more, at: clock.now() - ago })).toBe(400);
    expect(await db.selectFrom("stripe_events").select("ref").execute()).toEqual([]);
  });

  it("is refused without a signature, with one of other bytes, and when it is too long", async () => {
    const { app, call, tell } = await setUp();
    expect((await call("POST", events, { body: { id: "evt_1" } })).json().code).toBe("PAYMENT_EVENT_REFUSED");
    const headers = { "content-type": "application/json", "stripe-signature": `t=1,v1=${"0".repeat(64)}` };
    const long = await app.http.inject({
      method: "POST",
      url: `/cloud${events}`,
      headers,
      payload: "x".repeat(10 ** 7),
    });
    expect(long.statusCode).toBe(413);
    expect(await tell("invoice.paid", { object: "in_1" })).toBe(204);
    expect(await tell("payment_intent.succeeded", { object: "pi_unknown" })).toBe(204);
  });

  it("has the payment looked at", async () => {
    const { db, tell } = await setUp();
    const invoice = randomUUID();
    const at = new Date("2026-03-01T00:00:00Z");
    await db
      .insertInto("invoices")
      .values({
        uuid: invoice,
        organization_uuid: randomUUID(),
        subscription_uuid: null,
        number: 1,
        nature: "SUBSCRIPTION",
        refunds_uuid: null,
        usage_type: "licensed",
        period_began_at: at,
        period_ended_at: at,
        currency: "USD",
        net: 5,
        tax: 0,
        amount: 5,
        balance_used: 0,
        bill_to: "{}",
        created_at: at,
        due_at: at,
      })
      .execute();
    const payment = { uuid: randomUUID(), invoice_uuid: invoice, card_uuid: null, card_ref: "pm_1", amount: 5 };
    await db
      .insertInto("payments")
      .values({ ...payment, ref: "pi_1", outcome: "requires_action", created_at: at })
      .execute();
    expect(await tell("payment_intent.succeeded", { object: "pi_1", id: "evt_1" })).toBe(204);
    expect(await tell("payment_intent.succeeded", { object: "pi_1", id: "evt_1" })).toBe(204);
    const jobs = await sql`SELECT payload FROM jobs WHERE name = 'look-at-payment'`.execute(db);
    expect(jobs.rows).toEqual([{ payload: { payment: payment.uuid, charge: "pi_1" } }]);
  });

  it("is no route where Stripe charges no cards", async () => {
    const { call } = await createTestApp();
    expect((await call("POST", events, { body: { id: "evt_1" } })).json().code).toBe("PAYMENTS_NOT_AVAILABLE");
  });
});

it("lets pages load Stripe's form only where Stripe charges cards", async () => {
  const stripe = await fakeStripe();
  const policy = async (more: object) => {
    const { app } = await createTestApp(more);
    return String((await app.http.inject("/cloud/v1/settings")).headers["content-security-policy"]);
  };
  expect(await policy({})).not.toContain("stripe");
  const allowed = await policy({ stripe: stripe.settings, payments: stripeProvider(stripe.settings) });
  expect(allowed).toContain("script-src 'self' https://js.stripe.com https://*.js.stripe.com;");
  expect(allowed).toContain("https://hooks.stripe.com");
  expect(allowed).toContain("connect-src 'self' https://api.stripe.com");
});
