import type { usage } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import { type OverviewDeps, overviewOf } from "./overview.ts";
import { exportUsage, reportOf, usageOf, type UsageDeps } from "./usage.ts";

export const usageRoutes = (deps: UsageDeps & OverviewDeps): Handlers<typeof usage, Actor> => ({
  overview: ({ actor }) => overviewOf(deps, actor.organization),
  get: ({ actor, query }) => usageOf(deps, actor.organization, query),
  report: ({ actor, query }) => reportOf(deps, actor.organization, query),
  export: ({ query, ...call }) => exportUsage(deps, call.actor.organization, query, byCaller(call)),
});
