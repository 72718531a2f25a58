import type { Clock } from "@terrarium/clock";
import { AppError, type Card, limits, type Offer, type PaymentMethod } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import type { By } from "../audit/by.ts";
import { removeCard } from "./remove-card.ts";
import { customerOf, type PaymentDeps } from "./payments.ts";
import {
  type CardRow,
  deleteCard,
  hasRunningPlan,
  insertCard,
  listCards,
  lockOrganization,
  setDefault,
} from "./payments.store.ts";

/** How long a card whose hold was not answered waits for another try. */
const RELEASED_AFTER_MS = 60_000;

export interface OwnCard {
  organization: string;
  uuid: string;
}

export const getCards = async (db: Database, organization: string): Promise<Card[]> =>
  (await listCards(db, organization)).map(presentCard);

/** Begins to add a card. The number goes from the browser to the provider. */
export async function setUpCard(deps: PaymentDeps, organization: string) {
  const { name: provider, publishableKey: publishable_key } = deps.payments;
  const { clientSecret } = await deps.payments.setUpCard(await customerOf(deps, organization));
  return { client_secret: clientSecret, provider, publishable_key };
}

/**
 * Adds a card that the provider has been given, once the bank has held an amount on it. The first is the default. One that is there already
 * stays as it is.
 * @throws AppError CARD_REFUSED, CARD_PREPAID, TOO_MANY_CARDS
 */
export async function addCard(
  deps: PaymentDeps & { offer: Pick<Offer, "card_hold_cents" | "currency"> },
  organization: string,
  { token, is_default }: { token: string; is_default: boolean },
  by: By,
): Promise<Card> {
  const { db, clock, audit, payments, offer } = deps;
  const before = await listCards(db, organization);
  if (before.length >= limits.cards) throw new AppError("TOO_MANY_CARDS");
  const customer = await customerOf(deps, organization);
  const { ref, brand, last4, expiryMonth, expiryYear } = await payments.addCard(customer, token);
  if (offer.card_hold_cents > 0 && !before.some((card) => card.ref === ref)) {
    const hold = { customer, amount: offer.card_hold_cents, currency: offer.currency };
    try {
      await payments.verifyCard({ ...hold, card: ref });
    } catch (error) {
      if (error instanceof AppError && error.code === "CARD_REFUSED") await payments.removeCard(ref);
      // The bank may hold it, and whoever asked may never ask again.
      else await enqueue(db, clock, removeCard, { ref, hold }, { dueAt: new Date(clock.now() + RELEASED_AFTER_MS) });
      throw error;
    }
  }
  const uuid = randomUUID();
  const added = await transaction(db, async (trx) => {
    await lockOrganization(trx, organization);
    const held = await listCards(trx, organization);
    const same = held.find((card) => card.ref === ref);
    if (same) return same;
    if (held.length >= limits.cards) {
      // The others were added meanwhile.
      await enqueue(trx, clock, removeCard, { ref }, { key: ref });
      return undefined;
    }
    const isNew = await insertCard(trx, {
      uuid,
      organization_uuid: organization,
      ref,
      brand,
      last4,
      expiry_month: expiryMonth,
      expiry_year: expiryYear,
      is_default: false,
      created_at: new Date(clock.now()),
    });
    // Another organization has it, whose name for it was found out.
    if (!isNew) throw new AppError("CARD_REFUSED");
    if (is_default || held.length === 0) await setDefault(trx, "cards", { organization, uuid });
    await audit.record(trx, by, { action: "card.add", subject: { kind: "card", uuid }, details: { brand, last4 } });
    return ownCard(trx, { organization, uuid });
  });
  if (!added) throw new AppError("TOO_MANY_CARDS");
  return presentCard(added);
}

/** @throws AppError CARD_NOT_FOUND */
export async function makeDefault({ db, audit }: PaymentDeps, own: OwnCard, by: By): Promise<Card> {
  return transaction(db, async (trx) => {
    await lockOrganization(trx, own.organization);
    const { brand, last4 } = await ownCard(trx, own);
    await setDefault(trx, "cards", own);
    const subject = { kind: "card", uuid: own.uuid } as const;
    await audit.record(trx, by, { action: "card.set_default", subject, details: { brand, last4 } });
    return presentCard(await ownCard(trx, own));
  });
}

/**
 * Deletes a card, here at once and soon at the provider; the oldest of the others takes the place of the default. Whoever begins a plan
 * locks the organization too, so that it never has a plan and no card.
 * @throws AppError CARD_NOT_FOUND, CARD_IN_USE
 */
export async function removeOwnCard(deps: PaymentDeps, own: OwnCard, by: By): Promise<void> {
  const { db, clock, audit } = deps;
  const { organization, uuid } = own;
  await transaction(db, async (trx) => {
    await lockOrganization(trx, organization);
    const { ref, brand, last4, is_default } = await ownCard(trx, own);
    if (await hasRunningPlan(trx, organization)) throw new AppError("CARD_IN_USE");
    await deleteCard(trx, uuid);
    const [next] = await listCards(trx, organization);
    if (is_default && next) await setDefault(trx, "cards", { organization, uuid: next.uuid });
    await enqueue(trx, clock, removeCard, { ref }, { key: ref });
    const subject = { kind: "card", uuid } as const;
    await audit.record(trx, by, { action: "card.delete", subject, details: { brand, last4 } });
  });
}

/** Forgets the cards of an organization that ends. */
export async function forgetCards(trx: Database, clock: Clock, organization: string): Promise<void> {
  for (const { uuid, ref } of await listCards(trx, organization)) {
    await deleteCard(trx, uuid);
    await enqueue(trx, clock, removeCard, { ref }, { key: ref });
  }
}

async function ownCard(db: Database, { organization, uuid }: OwnCard): Promise<CardRow> {
  const card = (await listCards(db, organization)).find((held) => held.uuid === uuid);
  if (!card) throw new AppError("CARD_NOT_FOUND");
  return card;
}

const presentCard = (row: CardRow): Card => ({
  uuid: row.uuid,
  brand: row.brand,
  last4: row.last4,
  exp_month: row.expiry_month,
  exp_year: row.expiry_year,
  is_default: row.is_default,
  created_at: row.created_at.toISOString(),
});

/** A card as a way to pay. */
export const asPaymentMethod = (card: Card): PaymentMethod => ({
  uuid: card.uuid,
  type: "CARD",
  is_default: card.is_default,
  created_at: card.created_at,
  card,
});
