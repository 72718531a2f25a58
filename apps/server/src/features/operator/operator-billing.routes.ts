import type { operatorBilling } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { byCaller } from "../audit/by.ts";
import { getPrices, setPrices } from "../billing/prices.ts";
import type { Actor } from "../sessions/actor.ts";
import {
  type BillingDeps,
  cancel,
  changePrice,
  changeTax,
  getBilling,
  getDue,
  giveMinutes,
  listInvoices,
  markPaid,
  refund,
  runBilling,
} from "./billing.ts";
import { type ClockDeps, moveServiceClock, readServiceClock } from "./service-clock.ts";

const HOUR_MS = 60 * 60 * 1000;

export const operatorBillingRoutes = (deps: BillingDeps & ClockDeps): Handlers<typeof operatorBilling, Actor> => {
  const by = (call: Parameters<typeof byCaller>[0] & { body: { reason: string } }) => ({
    ...byCaller(call),
    reason: call.body.reason,
  });
  return {
    get: ({ params }) => getBilling(deps, params.uuid),
    invoices: ({ params, query, url }) => listInvoices(deps, params.uuid, query, url),
    setPrice: (call) => changePrice(deps, call.params.uuid, call.body.price, by(call)),
    cancelPlan: (call) => cancel(deps, call.params.uuid, by(call)),
    setTax: (call) => changeTax(deps, call.params.uuid, call.body.percentage, by(call)),
    prices: () => getPrices(deps.db, deps.offer),
    setPrices: (call) => {
      const { prices, includes_running: includesRunning } = call.body;
      return setPrices({ ...deps, by: by(call) }, prices, { includesRunning });
    },
    grantMinutes: (call) => giveMinutes(deps, call.params.uuid, call.body.minutes, by(call)),
    refund: (call) => refund(deps, call.params.uuid, call.body.amount, by(call)),
    markPaid: (call) => markPaid(deps, call.params.uuid, by(call)),
    due: ({ query }) => getDue(deps, query.until),
    run: (call) => runBilling(deps, byCaller(call)),
    clock: () => readServiceClock(deps),
    moveClock: (call) => moveServiceClock(deps, call.body.hours * HOUR_MS, by(call)),
  };
};
