import type { Clock } from "@terrarium/clock";
import { AppError, type SandboxCard, sandboxCards } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { ChargeOutcome, PaymentProvider } from "./payment-provider.ts";
import {
  addCharge,
  answerCharge,
  deleteSandboxCard,
  findAskedCharge,
  findRefund,
  findSandboxCard,
  getSandboxCharge,
  insertRefund,
  insertSandboxCard,
  lockCharge,
  type SandboxChargeRow,
  sumRefunds,
} from "./sandbox.store.ts";

/** Test cards expire in three years. */
const YEARS = 3;

const nameOf = (kind: string): string => `${kind}_sandbox_${randomUUID().replaceAll("-", "")}`;
const cardCalled = (name: string): SandboxCard | undefined => sandboxCards.find((card) => card.name === name);

/**
 * A payment provider for trying the product: it knows test cards, and moves no money. Like any other it stores what it did, in tables of
 * its own, so that a key is charged once whatever happens to us.
 */
export function sandboxProvider({ db, clock }: { db: Database; clock: Clock }): PaymentProvider {
  return {
    name: "sandbox",
    publishableKey: null,
    minimum: 1,
    answers: () => true,
    createCustomer: async ({ uuid }) => `cus_sandbox_${uuid}`,
    setUpCard: async () => ({ clientSecret: `${nameOf("seti")}_secret` }),
    async addCard(customer, token) {
      const card = cardCalled(token);
      if (!card) throw new AppError("CARD_REFUSED", { message: "The sandbox knows test cards only." });
      if (card.funding === "prepaid") throw new AppError("CARD_PREPAID");
      if (card.does === "refused") throw new AppError("CARD_REFUSED", { message: card.says ?? "" });
      const ref = nameOf("pm");
      await insertSandboxCard(db, { ref, customer, name: card.name });
      return {
        ref,
        brand: card.brand,
        last4: card.number.slice(-4),
        expiryMonth: 12,
        expiryYear: new Date(clock.now()).getUTCFullYear() + YEARS,
        funding: card.funding,
      };
    },
    // Its bank has what test cards say of charges, and holds nothing.
    async verifyCard({ customer, card }) {
      if ((await findSandboxCard(db, customer, card)) === undefined) throw new AppError("CARD_REFUSED");
    },
    removeCard: (ref) => deleteSandboxCard(db, ref),
    async charge({ customer, card, amount, currency, key }) {
      const name = await findSandboxCard(db, customer, card);
      const charge = await addCharge(db, {
        ref: nameOf("pi"),
        key,
        customer,
        card,
        amount,
        currency,
        ...answerOf(name),
        client_secret: `${nameOf("pi")}_secret`,
      });
      if (charge.amount !== amount || charge.currency !== currency || charge.customer !== customer)
        throw new Error("the key was used for another charge");
      return outcomeOf(charge);
    },
    findCharge: async (ref) => outcomeOf(await getSandboxCharge(db, ref)),
    async cancelCharge(ref) {
      const { customer, client_secret: clientSecret } = await getSandboxCharge(db, ref);
      return outcomeOf(await confirmCharge(db, { customer, clientSecret }, false));
    },
    async findAsked(customer, key) {
      const charge = await findAskedCharge(db, customer, key);
      return charge ? outcomeOf(charge) : null;
    },
    refund: ({ charge, amount, key }) =>
      transaction(db, async (trx) => {
        const charged = await lockCharge(trx, charge);
        const before = await findRefund(trx, key);
        if (before) return { ref: before.ref };
        if (charged.outcome !== "accepted" || (await sumRefunds(trx, charge)) + amount > charged.amount)
          throw new Error("there is not so much to pay back");
        const ref = nameOf("re");
        await insertRefund(trx, { ref, key, charge, amount });
        return { ref };
      }),
  };
}

/**
 * Answers for a customer whose bank asks for confirmation. What was answered before stays.
 * @throws AppError PAYMENT_NOT_FOUND
 */
export async function confirmCharge(
  db: Database,
  whose: { customer: string; clientSecret: string },
  isConfirmed: boolean,
): Promise<SandboxChargeRow> {
  const charge = await answerCharge(
    db,
    whose,
    isConfirmed
      ? { outcome: "accepted", reason: "" }
      : { outcome: "refused", reason: "The payment was not confirmed." },
  );
  if (!charge) throw new AppError("PAYMENT_NOT_FOUND");
  return charge;
}

/** What the bank answers to a charge. */
function answerOf(name: string | undefined): Pick<SandboxChargeRow, "outcome" | "reason"> {
  const card = name === undefined ? undefined : cardCalled(name);
  if (!card) return { outcome: "refused", reason: "There is no such card." };
  if (card.does === "asks") return { outcome: "requires_action", reason: "" };
  return card.does === "pays"
    ? { outcome: "accepted", reason: "" }
    : { outcome: "refused", reason: card.says ?? "Your card was declined." };
}

function outcomeOf({ outcome, ref, reason, client_secret: clientSecret }: SandboxChargeRow): ChargeOutcome {
  if (outcome === "accepted") return { kind: "accepted", ref };
  return outcome === "refused" ? { kind: "refused", ref, reason } : { kind: "requires_action", ref, clientSecret };
}
