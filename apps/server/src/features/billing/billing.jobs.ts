import type { Clock } from "@terrarium/clock";
import { AppError, priceOf } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { defineJob } from "../../platform/jobs/job.ts";
import type { Periodic } from "../../platform/jobs/periodic.ts";
import type { Logger } from "../../platform/log.ts";
import { byService } from "../audit/by.ts";
import { advance, type AdvanceDeps, listAdvancing } from "./advance.ts";
import { chargeRequest, lookRequest, refundRequest, repriceRequest } from "./billing-requests.ts";
import { type CollectDeps, collectInvoice, failWithoutCard, lockWork, lookAtPayment, writeOff } from "./collect.ts";
import { currentOffer } from "./prices.ts";
import { findInvoice, findPayment, listUnconfirmed } from "./receivables.store.ts";
import { settle } from "./minutes.ts";
import { listUnsettled } from "./minutes.store.ts";
import { completeRefund } from "./operate-invoices.ts";
import type { PlanDeps } from "./plan-state.ts";
import { setPrice } from "./set-price.ts";
import { lookAtUncovered, type UncoveredDeps } from "./stop-uncovered.ts";
import { listAtPrice } from "./subscriptions.store.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Organizations that are billed at once: a part of the connections that this process has for everything. */
const AT_ONCE = 4;
/** How long use without a plan may stay unsettled. */
const SETTLED_AFTER_MS = 7 * DAY_MS;

/** Asks the payment provider for the amount of an invoice, for days if it does not answer. */
export const chargeInvoice = defineJob({
  ...chargeRequest,
  retry: { attempts: 100, firstMs: 30 * SECOND_MS, longestMs: HOUR_MS },
  async run(deps: CollectDeps, { invoice }) {
    try {
      await collectInvoice(deps, invoice);
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "SERVICE_UNAVAILABLE") throw error;
      // It was paid or voided meanwhile, or there is nothing to pay it with.
      if (error.code === "PAYMENT_METHOD_MISSING") await failWithoutCard(deps, invoice);
    }
  },
});

/** Looks at a payment that the provider has reported as changed, or that was not found there before. */
export const lookAtCharge = defineJob({
  ...lookRequest,
  retry: { attempts: 100, firstMs: 30 * SECOND_MS, longestMs: HOUR_MS },
  run: (deps: CollectDeps, { payment, charge }) => lookAtPayment(deps, payment, charge),
});

/** Has the payment provider pay back what a credit note says, or all of a charge for which there was nothing to pay. */
export const refundPayment = defineJob({
  ...refundRequest,
  retry: { attempts: 100, firstMs: 30 * SECOND_MS, longestMs: HOUR_MS },
  async run(deps: CollectDeps, { payment: uuid, note, charge }) {
    const payment = await findPayment(deps.db, uuid);
    const from = charge ?? payment?.ref;
    if (!payment || !from) return;
    const credit = note === null ? undefined : await findInvoice(deps.db, note);
    const amount = credit ? -credit.amount : payment.amount;
    await deps.payments.refund({ charge: from, amount, key: note ?? `void ${charge ?? uuid}` });
    if (credit) await completeRefund(deps, credit);
  },
});

/**
 * Agrees on another price with the plans that run at the one before. One that has ended meanwhile needs none, and nobody does once the
 * operator has set yet another.
 */
export const repricePlans = defineJob({
  ...repriceRequest,
  async run(deps: PlanDeps & Pick<AdvanceDeps, "db" | "offer">, { plan, was, price }) {
    for (const organization of await listAtPrice(deps.db, plan, was)) {
      if (priceOf(plan, await currentOffer(deps.db, deps.offer)) !== price) return;
      await setPrice({ ...deps, by: byService }, organization, price, { plan, was }).catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
      });
    }
  },
});

/** Bills what is due, renews and ends plans. */
export const runBilling: Periodic<AdvanceDeps & { log: Logger }> = {
  everyMs: MINUTE_MS,
  async run(deps) {
    const due = (await listAdvancing(deps)).values();
    const work = async () => {
      for (const plan of due) {
        try {
          while (await advance(deps, plan));
        } catch (error) {
          deps.log.error({ err: error, subscription: plan.uuid }, "a plan could not be billed and will be tried again");
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  },
};

/** Looks whether customers have confirmed payments at their bank. */
export const confirmPayments: Periodic<CollectDeps & { log: Logger }> = {
  everyMs: 3 * SECOND_MS,
  async run(deps) {
    for (const payment of await listUnconfirmed(deps.db, new Date(deps.clock.now()))) {
      try {
        await lookAtPayment(deps, payment);
      } catch (error) {
        deps.log.warn({ err: error, payment }, "a payment could not be looked at and will be tried again");
      }
    }
  },
};

/**
 * Stops devices of organizations whose free minutes are used up, whose trial is over, or whose plan is suspended or has ended, some minutes
 * after the stop was announced.
 */
export const stopUncovered: Periodic<UncoveredDeps> = { everyMs: 15 * SECOND_MS, run: lookAtUncovered };

/** Writes off what is too little to be charged, and waits for nothing any more. */
export const writeOffWaiting: Periodic<Parameters<typeof writeOff>[0]> = { everyMs: HOUR_MS, run: writeOff };

/** Takes what was used without a plan from the balance now and then, so that the runs of deleted devices can go. */
export const settleOld: Periodic<PlanDeps & { db: Database; clock: Clock }> = {
  everyMs: HOUR_MS,
  async run(deps) {
    const now = new Date(deps.clock.now());
    for (const uuid of await listUnsettled(deps.db, new Date(now.getTime() - SETTLED_AFTER_MS)))
      await transaction(deps.db, async (trx) => {
        const { organization } = await lockWork(trx, deps, uuid);
        if (organization.license_type === "pending") await settle(trx, organization, { until: now, now });
      });
  },
};
