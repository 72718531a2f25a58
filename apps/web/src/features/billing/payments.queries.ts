import "../../en/payments.ts";
import type { Card } from "@terrarium/contract";
import { AppError } from "@terrarium/sdk";
import type { TFunction } from "i18next";
import { mutation } from "../../components/mutation.ts";
import { client } from "../../session/client.ts";
import { isGone } from "../../shared/is-gone.ts";
import { cardName } from "./card-name.ts";

const cardsKey = ["billing", "cards"] as const;

/** How the organization pays. The service gives all at once: there are ten at most. */
export const paymentMethods = {
  queryKey: cardsKey,
  queryFn: async ({ signal }: { signal: AbortSignal }) => (await client.paymentMethods.list({}, { signal })).results,
};

/** The secret with which one card is given to the payment provider. Each form has its own. */
export const cardSetup = {
  queryKey: ["billing", "card setup"] as const,
  queryFn: () => client.cards.setUp(),
  gcTime: 0,
  staleTime: Infinity,
  retry: false,
};

const all = () => [cardsKey];
const named = (t: TFunction, card: Card) => ({ card: cardName(t, card) });

/** Adds a card that the provider knows. The form says what was refused. */
export const addCard = mutation({
  mutationKey: ["cards", "add"],
  mutationFn: (token: string) => client.cards.add({ body: { token } }),
  invalidates: all,
  announces: (t, card) => t("payments.methods.done.added", named(t, card)),
});

export const makeDefault = mutation({
  mutationKey: ["cards", "default"],
  mutationFn: ({ uuid }: Card) => client.cards.makeDefault({ params: { uuid }, body: { is_default: true } }),
  invalidates: all,
  announces: (t, card) => t("payments.methods.done.default", named(t, card)),
  refuses: (t) => t("payments.methods.errors.update"),
});

/** One that is gone already was what was wanted. */
export const deleteCard = mutation({
  mutationKey: ["cards", "delete"],
  mutationFn: ({ uuid }: Card) => client.cards.delete({ params: { uuid } }),
  invalidates: all,
  announces: (t, _, card) => t("payments.methods.done.deleted", named(t, card)),
  refuses: (t, error) => {
    if (isGone(error)) return undefined;
    const isUsed = error instanceof AppError && error.code === "CARD_IN_USE";
    return t(isUsed ? "payments.methods.errors.inUse" : "payments.methods.errors.delete");
  },
});
