import { AppError, type billingAddresses, type cards, type paymentMethods, type payments } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import { addAddress, editAddress, getAddresses } from "./billing-addresses.ts";
import { addCard, asPaymentMethod, getCards, makeDefault, removeOwnCard, setUpCard } from "./cards.ts";
import { customerOf, type PaymentDeps } from "./payments.ts";
import { confirmCharge } from "./sandbox-provider.ts";
import { settleCharge } from "./settle-charge.ts";
import { type StripeEventDeps, takeStripeEvent } from "./stripe-events.ts";

interface CallForOne {
  actor: { organization: string };
  params: { uuid: string };
}
const ownOf = ({ actor, params }: CallForOne) => ({ organization: actor.organization, uuid: params.uuid });
const wholeList = <Item>(results: Item[]) => ({ count: results.length, next: null, previous: null, results });

export const cardRoutes = (deps: Parameters<typeof addCard>[0]): Handlers<typeof cards, Actor> => ({
  setUp: ({ actor }) => setUpCard(deps, actor.organization),
  add: (call) => addCard(deps, call.actor.organization, call.body, byCaller(call)),
  list: async ({ actor }) => wholeList(await getCards(deps.db, actor.organization)),
  makeDefault: (call) => makeDefault(deps, ownOf(call), byCaller(call)),
  delete: (call) => removeOwnCard(deps, ownOf(call), byCaller(call)),
});

export const paymentMethodRoutes = (deps: PaymentDeps): Handlers<typeof paymentMethods, Actor> => ({
  list: async ({ actor }) => wholeList((await getCards(deps.db, actor.organization)).map(asPaymentMethod)),
  makeDefault: async (call) => asPaymentMethod(await makeDefault(deps, ownOf(call), byCaller(call))),
});

export const billingAddressRoutes = (deps: PaymentDeps): Handlers<typeof billingAddresses, Actor> => ({
  list: async ({ actor }) => wholeList(await getAddresses(deps.db, actor.organization)),
  add: (call) => addAddress(deps, call.actor.organization, call.body, byCaller(call)),
  edit: (call) => editAddress(deps, ownOf(call), call.body, byCaller(call)),
});

export const paymentRoutes = (deps: PaymentDeps & StripeEventDeps): Handlers<typeof payments, Actor> => ({
  async confirmInSandbox({ actor, body }) {
    if (deps.payments.name !== "sandbox") throw new AppError("PAYMENT_NOT_FOUND");
    const customer = await customerOf(deps, actor.organization);
    const whose = { customer, clientSecret: body.client_secret };
    const { ref, outcome } = await confirmCharge(deps.db, whose, body.is_confirmed);
    await settleCharge(deps, ref);
    return { outcome: outcome === "accepted" ? "accepted" : "refused" };
  },
  stripeEvent: ({ body, headers }) => takeStripeEvent(deps, body, headers["stripe-signature"]),
});
