import type { Clock } from "@terrarium/clock";
import { budgetThresholds, limits, type Offer, statesThatTake } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { sendMail } from "../../platform/mail/send-mail.ts";
import { minutePrice } from "../billing/minute-price.ts";
import { moveInstance } from "../instances/move-instance.ts";
import { noticeMail } from "./budget-mail.ts";
import {
  announceStops,
  type BudgetRow,
  type BudgetUse,
  deleteNotices,
  findManagers,
  insertNotices,
  listAnnounced,
  listBudgets,
  listStops,
  sumUse,
  updateBudget,
} from "./budgets.store.ts";
import { monthOf } from "../billing/month.ts";

const MINUTE_MS = 60_000;

export interface LookDeps {
  clock: Clock;
  /** What minutes cost without a plan. */
  offer: Offer;
  /** The origin of the service's pages. */
  pagesAt: () => string;
}

/** What was used by a budget, in its unit. */
export const inUnit = (
  unit: BudgetRow["unit"],
  { minutes, metered }: Pick<BudgetUse, "minutes" | "metered">,
  price: number,
): number => (unit === "minutes" ? minutes : metered * price);

/**
 * Brings the budgets of an organization in line with what was used: notifies managers of each threshold that is reached, once a month;
 * announces stops and withdraws them; stops the devices whose time has come. The caller has locked the organization, so that workers take
 * turns.
 * @param changed a budget that has changed: managers will be notified again of thresholds that it no longer reaches
 */
export async function lookAtBudgets(
  trx: Database,
  { clock, offer, pagesAt }: LookDeps,
  organization: string,
  changed?: string,
): Promise<void> {
  const now = new Date(clock.now());
  const month = monthOf(now);
  const { price, currency } = await minutePrice(trx, organization, offer);
  const uses = new Map((await sumUse(trx, { organization, ...month, now })).map((use) => [use.uuid, use]));
  for (const budget of await listBudgets(trx, organization)) {
    const used = inUnit(budget.unit, uses.get(budget.uuid) ?? { minutes: 0, metered: 0 }, price);
    const reached = budgetThresholds.filter((threshold) => used * 100 >= budget.amount * threshold);
    const stops_at = budget.stops && reached.includes(100) ? (budget.stops_at ?? inGrace(now)) : null;
    await updateBudget(trx, budget.uuid, { stops_at, looked_at: now });
    if (budget.uuid === changed) await deleteNotices(trx, budget.uuid, month.since, reached.at(-1) ?? 0);
    const news = await insertNotices(trx, { budget: budget.uuid, month: month.since, at: now }, reached);
    if (news.length > 0)
      await mailNotice(trx, clock, budget, {
        name: budget.name,
        unit: budget.unit,
        limit: budget.amount,
        stops: budget.stops,
        used,
        currency,
        threshold: Math.max(...news),
        stopsAt: stops_at,
        until: month.until,
        pagesAt: pagesAt(),
      });
  }
  await announceStops(trx, await listStops(trx, organization, statesThatTake("stop"), now), now);
  for (const uuid of await listAnnounced(trx, organization, now))
    await moveInstance(trx, { uuid, event: "stop", reason: "budget_used_up", now });
}

const inGrace = (now: Date): Date => new Date(now.getTime() + limits.stopNoticeMinutes * MINUTE_MS);

/** Managers, and whoever's budget it is. */
async function mailNotice(
  trx: Database,
  clock: Clock,
  { organization_uuid, email }: BudgetRow,
  notice: Parameters<typeof noticeMail>[0],
): Promise<void> {
  const managers = (await findManagers(trx, organization_uuid)).map(({ address }) => address);
  for (const address of new Set([...managers, ...(email === null ? [] : [email])]))
    await sendMail(trx, clock, { to: { address }, ...noticeMail(notice) });
}
