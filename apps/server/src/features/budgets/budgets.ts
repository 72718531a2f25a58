import { AppError, type Budget, type BudgetBody, type BudgetChange, limits, type MonthUse } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { isDuplicate } from "../../platform/db/database-errors.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Audit } from "../audit/audit.ts";
import type { By } from "../audit/by.ts";
import { minutePrice } from "../billing/minute-price.ts";
import { lockLimits } from "../organizations/limits.ts";
import { foundingOf } from "../organizations/organizations.ts";
import {
  type BudgetRow,
  deleteBudget,
  insertBudget,
  isOwn,
  isUsedUpFor,
  listBudgets,
  sumUse,
  updateBudget,
} from "./budgets.store.ts";
import { inUnit, lookAtBudgets, type LookDeps } from "./look.ts";
import { expectedUse, monthOf, paceSince } from "../billing/month.ts";

const MINUTE_MS = 60_000;

export interface BudgetDeps extends LookDeps {
  db: Database;
  audit: Audit;
}

/** The budgets of an organization, with what was used of them this month, and what all of it has used. */
export async function getBudgets(
  { db, clock, offer }: Pick<BudgetDeps, "db" | "clock" | "offer">,
  organization: string,
): Promise<{ month: MonthUse; results: Budget[] }> {
  const now = new Date(clock.now());
  const month = monthOf(now);
  const pace = { since: paceSince(now, await foundingOf(db, organization)), now, until: month.until };
  const { price, currency } = await minutePrice(db, organization, offer);
  const [used, recent] = [
    await sumUse(db, { organization, ...month, now }),
    await sumUse(db, { organization, since: pace.since, until: now, now }),
  ];
  const useOf = (uuid: string | null, unit: BudgetRow["unit"]) => {
    const [sum, of] = [used, recent].map((uses) => {
      const use = uses.find((each) => each.uuid === uuid);
      return use ? inUnit(unit, use, price) : 0;
    }) as [number, number];
    return { used: sum, expected: expectedUse({ used: sum, recent: of }, pace) };
  };
  const [minutes, amount] = [useOf(null, "minutes"), useOf(null, "cents")];
  return {
    month: {
      since: month.since.toISOString(),
      until: month.until.toISOString(),
      minutes: minutes.used,
      expected_minutes: minutes.expected,
      amount: amount.used,
      expected_amount: amount.expected,
      currency,
    },
    results: (await listBudgets(db, organization)).map((row) => ({
      uuid: row.uuid,
      of: row.user_uuid
        ? { kind: "person", uuid: row.user_uuid, name: row.name }
        : row.group_uuid
          ? { kind: "group", uuid: row.group_uuid, name: row.name }
          : { kind: "organization", uuid: organization, name: row.name },
      unit: row.unit,
      limit: row.amount,
      stops: row.stops,
      ...useOf(row.uuid, row.unit),
      stops_at: row.stops_at?.toISOString() ?? null,
    })),
  };
}

/** @throws BUDGET_EXISTS, GROUP_NOT_FOUND, TOO_MANY_BUDGETS, USER_NOT_FOUND */
export const createBudget = (
  deps: BudgetDeps,
  organization: string,
  { group_uuid, user_uuid, unit, limit: amount, stops }: BudgetBody,
  by: By,
): Promise<Budget> =>
  changeBudgets(deps, organization, by, async (trx, rows) => {
    if (rows.length >= limits.budgets) throw new AppError("TOO_MANY_BUDGETS");
    if (group_uuid !== null && !(await isOwn(trx, "groups", group_uuid, organization)))
      throw new AppError("GROUP_NOT_FOUND");
    if (user_uuid !== null && !(await isOwn(trx, "users", user_uuid, organization)))
      throw new AppError("USER_NOT_FOUND");
    const uuid = randomUUID();
    const of = { organization_uuid: organization, group_uuid, user_uuid };
    await insertBudget(trx, { uuid, ...of, unit, amount, stops, created_at: new Date(deps.clock.now()) });
    return { uuid, action: "budget.create", details: { unit, limit: amount, stops } };
  }).catch((error: unknown) => {
    throw isDuplicate(error, "budgets_of") ? new AppError("BUDGET_EXISTS", { cause: error }) : error;
  });

/** Changes a budget, and what follows from what was used of it at once. @throws BUDGET_NOT_FOUND */
export const editBudget = (
  deps: BudgetDeps,
  { organization, uuid }: { organization: string; uuid: string },
  change: BudgetChange,
  by: By,
): Promise<Budget> =>
  changeBudgets(deps, organization, by, async (trx, rows) => {
    const { unit, amount, stops } = budgetOf(rows, uuid);
    const next = { unit: change.unit ?? unit, amount: change.limit ?? amount, stops: change.stops ?? stops };
    await updateBudget(trx, uuid, next);
    return { uuid, action: "budget.edit", details: { unit: next.unit, limit: next.amount, stops: next.stops } };
  });

/** Lets devices that are to stop for a budget run longer. @throws BUDGET_NOT_FOUND, BUDGET_NOT_STOPPING */
export const extendBudget = (
  deps: BudgetDeps,
  { organization, uuid }: { organization: string; uuid: string },
  by: By,
): Promise<Budget> =>
  changeBudgets(deps, organization, by, async (trx, rows) => {
    const { stops_at } = budgetOf(rows, uuid);
    if (!stops_at) throw new AppError("BUDGET_NOT_STOPPING");
    const from = Math.max(stops_at.getTime(), deps.clock.now());
    await updateBudget(trx, uuid, { stops_at: new Date(from + limits.extensionMinutes * MINUTE_MS) });
    return { uuid, action: "budget.extend", details: { minutes: limits.extensionMinutes } };
  });

/** Devices that were to stop for it run on. @throws BUDGET_NOT_FOUND */
export async function removeBudget(
  deps: BudgetDeps,
  { organization, uuid }: { organization: string; uuid: string },
  by: By,
): Promise<void> {
  await changeBudgets(deps, organization, by, async (trx, rows) => {
    budgetOf(rows, uuid);
    await deleteBudget(trx, uuid);
    return { uuid, action: "budget.delete", details: {} };
  });
}

function budgetOf(rows: readonly BudgetRow[], uuid: string): BudgetRow {
  const row = rows.find((each) => each.uuid === uuid);
  if (!row) throw new AppError("BUDGET_NOT_FOUND");
  return row;
}

interface Change {
  uuid: string;
  action: `budget.${"create" | "edit" | "extend" | "delete"}`;
  details: Record<string, string | number | boolean>;
}

/** Works on an organization's budgets: calls take turns, also with starts of devices and with `watchBudgets`. */
const changeBudgets = (
  deps: BudgetDeps,
  organization: string,
  by: By,
  work: (trx: Database, rows: BudgetRow[]) => Promise<Change>,
): Promise<Budget> =>
  transaction(deps.db, async (trx) => {
    await lockLimits(trx, organization);
    const { uuid, action, details } = await work(trx, await listBudgets(trx, organization));
    await deps.audit.record(trx, by, { action, subject: { kind: "budget", uuid }, organization, details });
    await lookAtBudgets(trx, deps, organization, uuid);
    const { results } = await getBudgets({ ...deps, db: trx }, organization);
    return results.find((budget) => budget.uuid === uuid)!;
  });

/**
 * Whether somebody may start another device, as far as budgets go.
 * @param user whose budgets count, as for the allocations of groups
 * @throws BUDGET_USED_UP
 */
export async function checkBudgets(
  trx: Database,
  { organization, user }: { organization: string; user: string | undefined },
): Promise<void> {
  if (await isUsedUpFor(trx, organization, user)) throw new AppError("BUDGET_USED_UP");
}
