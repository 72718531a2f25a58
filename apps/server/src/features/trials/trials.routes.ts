import type { trials } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import { decide, getRequests, requestPremium, requestTrial, type TrialDeps } from "./trials.ts";

type Deps = TrialDeps & { publicSettings: { operator: { contact: string | null } } };

export const trialRoutes = (deps: Deps): Handlers<typeof trials, Actor> => ({
  request: (call) => requestTrial(deps, call.actor, call.params.uuid, call.body, byCaller(call)),
  requestPremium: (call) => requestPremium(deps, call.actor, call.params.uuid, call.body, byCaller(call)),
  list: ({ query, url }) => getRequests(deps, query, url),
  decide: (call) => decide(deps, call.params.uuid, call.body, byCaller(call)),
});
