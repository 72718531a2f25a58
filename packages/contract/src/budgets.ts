import { z } from "zod";
import { Cents, Currency } from "./billing.ts";
import { ByUuid, GivenUuid, integerWithin, Time, Uuid } from "./fields.ts";
import { budgetUnits, limits } from "./limits.ts";
import { tag } from "./openapi-tags.ts";
import { routes } from "./routes.ts";

export const Budget = z.object({
  uuid: Uuid,
  of: z
    .object({ kind: z.enum(["organization", "group", "person"]), uuid: Uuid, name: z.string() })
    .meta({ description: "Whose devices count: also those of a group's subgroups" }),
  unit: z.enum(budgetUnits).meta({
    description:
      "Minutes of devices online, or what metered minutes cost at the price of your plan, free ones included, without tax",
  }),
  limit: z.int().meta({ description: "For each calendar month (UTC): minutes, or hundredths of the currency" }),
  stops: z.boolean().meta({ description: "Whether devices stop once it is used up, and no others start" }),
  used: z.int(),
  expected: z.int().meta({ description: "What the month comes to at the pace of the last seven days" }),
  stops_at: Time.nullable().meta({ description: "When devices stop, as it is used up" }),
});
export type Budget = z.infer<typeof Budget>;

/** What was used in the present month, and what it comes to. */
export const MonthUse = z.object({
  since: Time,
  until: Time,
  minutes: z.int(),
  expected_minutes: z.int(),
  amount: Cents.meta({ description: "Of metered minutes, free ones included, without tax" }),
  expected_amount: Cents,
  currency: Currency,
});
export type MonthUse = z.infer<typeof MonthUse>;

const Limit = integerWithin({ min: 1, max: limits.budgetMax });
const BudgetBody = z
  .object({
    group_uuid: GivenUuid.nullable().default(null),
    user_uuid: GivenUuid.nullable().default(null),
    unit: z.enum(budgetUnits),
    limit: Limit,
    stops: z.boolean().default(false),
  })
  .refine(({ group_uuid, user_uuid }) => group_uuid === null || user_uuid === null, {
    path: ["user_uuid"],
    error: "A budget is a group's or a person's; without either it is the organization's",
  });
export type BudgetBody = z.output<typeof BudgetBody>;

/** What is missing stays as it is. */
const BudgetChange = z.object({
  unit: z.enum(budgetUnits).optional(),
  limit: Limit.optional(),
  stops: z.boolean().optional(),
});
export type BudgetChange = z.output<typeof BudgetChange>;

const caller = { access: "manager", scope: "admin" } as const;

export const budgetsTag = tag("Your organization", "Budgets", "How much of a month somebody may use.");

export const budgets = routes({
  list: {
    method: "GET",
    path: "/v1/budgets",
    summary: "The budgets of your organization, and what it has used this month",
    ...caller,
    reply: z.object({ month: MonthUse, results: z.array(Budget) }),
  },
  create: {
    method: "POST",
    path: "/v1/budgets",
    summary:
      "Set how much of a month your organization, a group or a person may use; managers are told at 50, 80 and 100 %",
    ...caller,
    audit: ["budget.create"],
    body: BudgetBody,
    status: 201,
    reply: Budget,
    fails: ["BUDGET_EXISTS", "GROUP_NOT_FOUND", "TOO_MANY_BUDGETS", "USER_NOT_FOUND"],
  },
  edit: {
    method: "PUT",
    path: "/v1/budgets/:uuid",
    summary: "Change a budget. Devices that were to stop run on if it is no longer used up",
    ...caller,
    audit: ["budget.edit"],
    params: ByUuid,
    body: BudgetChange,
    reply: Budget,
    fails: ["BUDGET_NOT_FOUND"],
  },
  extend: {
    method: "POST",
    path: "/v1/budgets/:uuid/extend",
    summary: `Let devices that are about to stop for a budget run ${limits.extensionMinutes} minutes longer`,
    ...caller,
    audit: ["budget.extend"],
    params: ByUuid,
    reply: Budget,
    fails: ["BUDGET_NOT_FOUND", "BUDGET_NOT_STOPPING"],
  },
  delete: {
    method: "DELETE",
    path: "/v1/budgets/:uuid",
    summary: "Remove a budget. Devices that were to stop for it run on",
    ...caller,
    audit: ["budget.delete"],
    params: ByUuid,
    status: 204,
    fails: ["BUDGET_NOT_FOUND"],
  },
});
