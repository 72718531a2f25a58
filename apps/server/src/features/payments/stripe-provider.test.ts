import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createLog } from "../../platform/log.ts";
import { STRIPE_VERSION } from "./stripe-api.ts";
import { findStripeCard, stripeProvider } from "./stripe-provider.ts";
import { fakeStripe, version } from "./testing/fake-stripe.ts";

async function setUp() {
  const stripe = await fakeStripe();
  const provider = stripeProvider(stripe.settings);
  const customer = await provider.createCustomer({ uuid: randomUUID(), name: "Moss", email: "a@moss.example" });
  const chargeOf = (card: string, key = randomUUID()) => ({
    customer,
    card,
    amount: 1234,
    currency: "USD" as const,
    invoice: { uuid: randomUUID(), number: "7" },
    key,
  });
  const charged = () => [...stripe.rows.keys()].filter((id) => id.startsWith("pi_")).length;
  return { stripe, control: stripe.control, provider, customer, chargeOf, charged };
}

it("speaks the version of the API that was published", () => expect(STRIPE_VERSION).toBe(version));

describe("a card", () => {
  it("is set up by the browser, and kept once it is the customer's", async () => {
    const { stripe, provider, customer } = await setUp();
    expect(await provider.setUpCard(customer)).toEqual({ clientSecret: expect.stringMatching(/^seti_.*_secret$/) });
    const ref = stripe.card(customer);
    expect(await provider.addCard(customer, ref)).toEqual({
      ref,
      brand: "visa",
      last4: "4242",
      expiryMonth: 4,
      expiryYear: 2030,
      funding: "credit",
    });
    expect(stripe.requests.map(({ request }) => request)).not.toContain(
      "POST /v1/payment_methods/{payment_method}/attach",
    );
    const free = stripe.card(null);
    await provider.addCard(customer, free);
    expect(stripe.rows.get(free)?.["customer"]).toBe(customer);
  });

  it("of somebody else, or that is not there, is refused", async () => {
    const { stripe, provider, customer } = await setUp();
    const other = stripe.card("cus_other");
    await expect(provider.addCard(customer, other)).rejects.toMatchObject({ code: "CARD_REFUSED" });
    expect(stripe.rows.get(other)?.["customer"]).toBe("cus_other");
    await expect(provider.addCard(customer, "pm_missing")).rejects.toMatchObject({
      code: "CARD_REFUSED",
      message: "The card was refused.",
    });
  });

  it("that is prepaid is refused, and Stripe does not keep it", async () => {
    const { stripe, provider, customer } = await setUp();
    const [attached, free] = [stripe.card(customer, "prepaid"), stripe.card(null, "prepaid")];
    for (const ref of [attached, free])
      await expect(provider.addCard(customer, ref)).rejects.toMatchObject({ code: "CARD_PREPAID" });
    expect([attached, free].map((ref) => stripe.rows.get(ref)?.["customer"])).toEqual([null, null]);
  });

  it("has an amount held on it that is given back, also where an answer was lost or Stripe is asked again", async () => {
    const { stripe, control, provider, customer } = await setUp();
    const hold = { customer, card: stripe.card(customer), amount: 100, currency: "USD" as const };
    const stands = () => [...stripe.rows.values()].filter(({ id }) => id.startsWith("pi_")).map((row) => row["status"]);
    control.breaks = 1;
    await expect(provider.verifyCard(hold)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    expect(stands()).toEqual(["requires_capture"]);
    for (let time = 0; time < 2; time++) await provider.verifyCard(hold);
    expect(stands()).toEqual(["canceled"]);
    expect(stripe.requests.find(({ request }) => request === "POST /v1/payment_intents")?.fields).toMatchObject({
      amount: "100",
      currency: "usd",
      payment_method: hold.card,
      capture_method: "manual",
      off_session: "true",
    });
  });

  it("is refused where the bank refuses the hold, but not where it would ask the customer", async () => {
    const { stripe, control, provider, customer } = await setUp();
    const hold = () => ({ customer, card: stripe.card(customer), amount: 100, currency: "USD" as const });
    control.refusal = { code: "card_declined", message: "Your card has insufficient funds." };
    await expect(provider.verifyCard(hold())).rejects.toMatchObject({
      code: "CARD_REFUSED",
      message: "Your card has insufficient funds.",
    });
    control.refusal = { code: "authentication_required", message: "Authenticate" };
    await provider.verifyCard(hold());
    const left = [...stripe.rows.values()].filter(({ id }) => id.startsWith("pi_")).map((row) => row["status"]);
    expect(left).toEqual(["canceled", "canceled"]);
  });

  it("is removed, also twice, and then no longer found", async () => {
    const { stripe, provider, customer } = await setUp();
    const ref = stripe.card(customer);
    expect(await findStripeCard(stripe.settings, ref)).toMatchObject({ ref, last4: "4242" });
    await provider.removeCard(ref);
    await provider.removeCard(ref);
    expect(await findStripeCard(stripe.settings, ref)).toBeUndefined();
  });
});

describe("a charge", () => {
  it("is done once, however often it is asked for, also when the answer was lost and Stripe has forgotten the key", async () => {
    const { stripe, control, provider, customer, chargeOf, charged } = await setUp();
    const charge = chargeOf(stripe.card(customer));
    // The look for an earlier one, and the charge itself.
    const before = stripe.requests.length;
    control.breaks = 0;
    const first = await provider.charge(charge);
    expect(first).toMatchObject({ kind: "accepted" });
    expect(stripe.requests.length - before).toBe(2);
    stripe.forgetKeys();
    expect(await provider.charge(charge)).toEqual(first);
    expect(await provider.findCharge(first.ref)).toEqual(first);
    expect(await provider.findAsked(customer, charge.key)).toEqual(first);
    expect(await provider.findAsked(customer, "another")).toBe(null);
    expect(charged()).toBe(1);
    expect(stripe.requests.find(({ request }) => request === "POST /v1/payment_intents")).toMatchObject({
      key: charge.key,
      fields: { amount: "1234", currency: "usd", off_session: "true", confirm: "true", description: "Invoice 7" },
    });
  });

  it("that Stripe does not answer is asked again, and was done once", async () => {
    const { stripe, control, provider, customer, chargeOf, charged } = await setUp();
    const charge = chargeOf(stripe.card(customer));
    const lostWith: unknown[] = [];
    for (const lost of [1, 2, 1]) {
      control.breaks = lost;
      await provider.charge(charge).catch((error: unknown) => lostWith.push(error));
      control.breaks = 0;
    }
    for (const error of lostWith) expect(error).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    expect(provider.answers?.()).toBe(false);
    expect(await provider.charge(charge)).toMatchObject({ kind: "accepted" });
    expect(provider.answers?.()).toBe(true);
    console.log(`${lostWith.length} answers of the payment provider lost: charged ${charged()} time`);
    expect(charged()).toBe(1);
  });

  it("that the bank refuses says why", async () => {
    const { stripe, control, provider, customer, chargeOf } = await setUp();
    control.refusal = { code: "card_declined", message: "Your card has insufficient funds." };
    const refused = await provider.charge(chargeOf(stripe.card(customer)));
    expect(refused).toMatchObject({ kind: "refused", reason: "Your card has insufficient funds." });
    // Nobody can confirm it later.
    expect(stripe.rows.get(refused.ref)).toMatchObject({ status: "canceled" });
    expect(await provider.findCharge(refused.ref)).toEqual(refused);
  });

  it("that the customer must confirm says so, and is accepted when they have", async () => {
    const { stripe, control, provider, customer, chargeOf } = await setUp();
    control.refusal = { code: "authentication_required", message: "Authenticate" };
    const asked = await provider.charge(chargeOf(stripe.card(customer)));
    expect(asked).toMatchObject({ kind: "requires_action", clientSecret: expect.stringMatching(/_secret$/) });
    Object.assign(stripe.rows.get(asked.ref) ?? {}, { status: "succeeded", last_payment_error: null });
    const accepted = { kind: "accepted", ref: asked.ref };
    expect([await provider.findCharge(asked.ref), await provider.cancelCharge(asked.ref)]).toEqual([
      accepted,
      accepted,
    ]);
    const givenUp = await provider.charge(chargeOf(stripe.card(customer)));
    expect(await provider.cancelCharge(givenUp.ref)).toMatchObject({ kind: "refused", ref: givenUp.ref });
    expect(stripe.rows.get(givenUp.ref)).toMatchObject({ status: "canceled" });
    Object.assign(stripe.rows.get(asked.ref) ?? {}, { status: "canceled" });
    expect(await provider.findCharge(asked.ref)).toMatchObject({ kind: "refused" });
    Object.assign(stripe.rows.get(asked.ref) ?? {}, { status: "processing" });
    await expect(provider.findCharge(asked.ref)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  });

  it("is paid back once", async () => {
    const { stripe, provider } = await setUp();
    const refund = { charge: "pi_1", amount: 5, key: "k" };
    expect(await provider.refund(refund)).toEqual(await provider.refund(refund));
    stripe.forgetKeys();
    await provider.refund(refund);
    expect([...stripe.rows.keys()].filter((id) => id.startsWith("re_"))).toHaveLength(1);
  });
});

it("pays what was paid at the last moment, before it could be cancelled", async () => {
  const { stripe, provider } = await setUp();
  const paid = { id: "pi_1", status: "succeeded" };
  let looks = 0;
  stripe.add(
    new Proxy(paid, {
      get: (row, name) =>
        name === "toJSON"
          ? () => (looks++ === 0 ? { ...row, status: "requires_payment_method" } : row)
          : Reflect.get(row, name),
    }),
  );
  expect(await provider.findCharge("pi_1")).toEqual({ kind: "accepted", ref: "pi_1" });
});

it("keeps the secret key out of errors and the log", async () => {
  const { stripe } = await setUp();
  const lines: string[] = [];
  const log = createLog("trace", "test", { write: (line: string) => void lines.push(line) });
  const elsewhere = { ...stripe.settings, secretKey: "sk_live_verysecret" };
  for (const settings of [elsewhere, { ...elsewhere, url: "http://127.0.0.1:1" }]) {
    const error: unknown = await stripeProvider(settings)
      .setUpCard("cus_1")
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    log.error({ err: error, facts: (error as { facts: object }).facts, cause: (error as Error).cause }, "failed");
  }
  expect(lines).toHaveLength(2);
  expect(lines.join("")).not.toContain("verysecret");
});
