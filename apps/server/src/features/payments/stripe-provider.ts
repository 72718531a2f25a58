import { AppError } from "@terrarium/contract";
import { createHash } from "node:crypto";
import { z } from "zod";
import {
  type Charge,
  type ChargeOutcome,
  noCharge,
  type PaymentProvider,
  type ProviderCard,
} from "./payment-provider.ts";
import { StripeApi, StripeRefusal, type StripeSettings } from "./stripe-api.ts";

const ById = z.object({ id: z.string() });
const idOf = z.union([z.string(), ById.transform(({ id }) => id)]);

const PaymentMethod = z.object({
  id: z.string(),
  type: z.string(),
  customer: idOf.nullish(),
  card: z
    .object({
      brand: z.string(),
      last4: z.string().nullable(),
      exp_month: z.int(),
      exp_year: z.int(),
      funding: z.string().nullable(),
    })
    .optional(),
});

const PaymentIntent = z.object({
  id: z.string(),
  status: z.string(),
  client_secret: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).default({}),
  last_payment_error: z.object({ code: z.string().optional(), message: z.string().optional() }).nullish(),
});
type PaymentIntent = z.infer<typeof PaymentIntent>;

const Refund = ById.extend({ metadata: z.record(z.string(), z.string()).nullish() });

/** The payments of a customer that are looked through for one with the same key: years of invoices. */
const LOOKED_THROUGH = 100;
/** Of US dollars and euros alike. https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
export const STRIPE_MINIMUM = 50;

/** Charges cards with Stripe. https://docs.stripe.com/api */
export function stripeProvider({ publishableKey, ...account }: StripeSettings): PaymentProvider {
  const api = new StripeApi(account);
  const intentPath = (ref: string) => `/v1/payment_intents/${encodeURIComponent(ref)}`;
  const cancelled = async (id: string): Promise<ChargeOutcome> => {
    try {
      return outcomeOf(await api.post(`${intentPath(id)}/cancel`, PaymentIntent));
    } catch (error) {
      if (!(error instanceof StripeRefusal)) throw error;
      // It has changed meanwhile.
      return outcomeOf(await api.get(intentPath(id), PaymentIntent));
    }
  };
  /** What was refused is cancelled: the customer's bank could still confirm it, when it was paid otherwise long since. */
  const settled = async (intent: PaymentIntent): Promise<ChargeOutcome> => {
    const outcome = outcomeOf(intent);
    if (outcome.kind !== "refused" || intent.status === "canceled") return outcome;
    const after = await cancelled(intent.id);
    return after.kind === "refused" ? outcome : after;
  };
  /** Gives back what was held, unless that was done. */
  const release = async (id: string): Promise<void> => {
    await api.post(`${intentPath(id)}/cancel`, PaymentIntent).catch((error: unknown) => {
      if (!(error instanceof StripeRefusal)) throw error;
    });
  };
  const asked = async (customer: string, key: string): Promise<PaymentIntent | undefined> => {
    const Some = z.object({ data: z.array(PaymentIntent) });
    const { data } = await api.get("/v1/payment_intents", Some, { customer, limit: LOOKED_THROUGH });
    return data.find(({ metadata }) => metadata["key"] === key);
  };
  const detach = async (card: string): Promise<void> => {
    await api.post(`${methodPath(card)}/detach`, ById);
  };
  return {
    name: "stripe",
    publishableKey,
    minimum: STRIPE_MINIMUM,
    answers: () => api.answers(),
    async createCustomer({ uuid, name, email }) {
      // A key is for the same fields.
      const key = createHash("sha256").update([uuid, name, email].join("\n")).digest("hex");
      return (await api.post("/v1/customers", ById, { name, email, "metadata[organization]": uuid }, key)).id;
    },
    async setUpCard(customer) {
      const fields = { customer, usage: "off_session", "payment_method_types[0]": "card" };
      const Secret = z.object({ client_secret: z.string() });
      return { clientSecret: (await api.post("/v1/setup_intents", Secret, fields)).client_secret };
    },
    addCard: (customer, token) =>
      refusedAsCard(async () => {
        const given = await api.get(methodPath(token), PaymentMethod);
        // Somebody else's, whose name was found out.
        if (given.customer && given.customer !== customer) throw new AppError("CARD_REFUSED");
        if (given.card?.funding === "prepaid") {
          if (given.customer) await detach(given.id);
          throw new AppError("CARD_PREPAID");
        }
        const attached = given.customer
          ? given
          : await api.post(`${methodPath(given.id)}/attach`, PaymentMethod, { customer });
        return cardOf(attached);
      }),
    verifyCard: ({ customer, card, amount, currency }) =>
      refusedAsCard(async () => {
        const fields = {
          ...fieldsOf({ customer, card, amount, currency }),
          capture_method: "manual",
          description: "Verification of a card, which is given back",
        };
        // The same card is asked for the same once a day: a hold whose answer was lost is found, and released.
        const asked = api.post("/v1/payment_intents", PaymentIntent, fields, `hold ${card}`);
        const held = await asked.catch((error: unknown) => error);
        const { id } = PaymentIntent.safeParse(held instanceof StripeRefusal ? held.paymentIntent : held).data ?? {};
        if (id !== undefined) await release(id);
        if (held instanceof Error && !(held instanceof StripeRefusal && held.code === "authentication_required"))
          throw held;
      }),
    async removeCard(card) {
      try {
        await detach(card);
      } catch (error) {
        // It is gone already, or is nobody's.
        if (!(error instanceof StripeRefusal)) throw error;
      }
    },
    async charge({ customer, card, amount, currency, invoice, key }) {
      // Stripe forgets keys after a day; we may ask again after a longer outage.
      const same = await asked(customer, key);
      if (same) return settled(same);
      const fields = {
        ...fieldsOf({ customer, card, amount, currency }),
        description: `Invoice ${invoice.number}`,
        "metadata[invoice]": invoice.uuid,
        "metadata[key]": key,
      };
      try {
        return await settled(await api.post("/v1/payment_intents", PaymentIntent, fields, key));
      } catch (error) {
        if (!(error instanceof StripeRefusal)) throw error;
        const tried = PaymentIntent.safeParse(error.paymentIntent).data;
        if (tried) return settled(tried);
        // Such as a card that was removed: nothing was tried, so that there is nothing to name.
        return { kind: "refused", ref: noCharge(key), reason: wordsOf(error) };
      }
    },
    findCharge: async (ref) => settled(await api.get(intentPath(ref), PaymentIntent)),
    cancelCharge: cancelled,
    async findAsked(customer, key) {
      const same = await asked(customer, key);
      return same ? settled(same) : null;
    },
    async refund({ charge, amount, key }) {
      // As with charges: the key is forgotten after a day.
      const before = await api.get("/v1/refunds", z.object({ data: z.array(Refund) }), {
        payment_intent: charge,
        limit: LOOKED_THROUGH,
      });
      const same = before.data.find(({ metadata }) => metadata?.["key"] === key);
      if (same) return { ref: same.id };
      const fields = { payment_intent: charge, amount, "metadata[key]": key };
      return { ref: (await api.post("/v1/refunds", ById, fields, key)).id };
    },
  };
}

/** What has a bank asked for an amount at once, while the customer is not there. */
const fieldsOf = ({ customer, card, amount, currency }: Pick<Charge, "customer" | "card" | "amount" | "currency">) => ({
  amount,
  currency: currency.toLowerCase(),
  customer,
  payment_method: card,
  "payment_method_types[0]": "card",
  off_session: true,
  confirm: true,
});

/** A card as Stripe has it now, as banks replace those that expire; undefined for one that is nobody's any more. */
export async function findStripeCard(account: StripeSettings, ref: string): Promise<ProviderCard | undefined> {
  const found = await new StripeApi(account).get(methodPath(ref), PaymentMethod);
  return found.customer ? cardOf(found) : undefined;
}

const methodPath = (card: string): string => `/v1/payment_methods/${encodeURIComponent(card)}`;

/** Stripe's words about a card are for whoever typed it; others are about our request. */
const wordsOf = (error: StripeRefusal): string => (error.isOfCard ? error.message : "The card was refused.");

async function refusedAsCard<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error;
    throw new AppError("CARD_REFUSED", { message: wordsOf(error), facts: { code: error.code }, cause: error });
  }
}

function cardOf({ id, card }: z.infer<typeof PaymentMethod>): ProviderCard {
  if (!card) throw new AppError("CARD_REFUSED", { facts: { reason: "no card" } });
  return {
    ref: id,
    brand: card.brand,
    last4: card.last4 ?? "",
    expiryMonth: card.exp_month,
    expiryYear: card.exp_year,
    funding:
      card.funding === "credit" || card.funding === "debit" || card.funding === "prepaid" ? card.funding : "unknown",
  };
}

/** @throws AppError SERVICE_UNAVAILABLE while Stripe does not know yet */
function outcomeOf({
  id: ref,
  status,
  client_secret: clientSecret,
  last_payment_error: error,
}: PaymentIntent): ChargeOutcome {
  if (status === "succeeded") return { kind: "accepted", ref };
  const asks = status === "requires_action" || error?.code === "authentication_required";
  if (asks && status !== "canceled" && clientSecret) return { kind: "requires_action", ref, clientSecret };
  if (status === "requires_payment_method" || status === "canceled")
    return { kind: "refused", ref, reason: error?.message ?? "The payment was cancelled." };
  throw new AppError("SERVICE_UNAVAILABLE", { facts: { stripe: ref, status } });
}
