import type { budgets } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import { type BudgetDeps, createBudget, editBudget, extendBudget, getBudgets, removeBudget } from "./budgets.ts";

export const budgetRoutes = (deps: BudgetDeps): Handlers<typeof budgets, Actor> => {
  const own = (actor: { organization: string }, { uuid }: { uuid: string }) => ({ ...actor, uuid });
  return {
    list: ({ actor }) => getBudgets(deps, actor.organization),
    create: ({ body, ...call }) => createBudget(deps, call.actor.organization, body, byCaller(call)),
    edit: ({ params, body, ...call }) => editBudget(deps, own(call.actor, params), body, byCaller(call)),
    extend: ({ params, ...call }) => extendBudget(deps, own(call.actor, params), byCaller(call)),
    delete: ({ params, ...call }) => removeBudget(deps, own(call.actor, params), byCaller(call)),
  };
};
