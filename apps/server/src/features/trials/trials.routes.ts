import type { trials } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import { type AskDeps, decide, getRequests, requestPremium, requestTrial } from "./trials.ts";

export const trialRoutes = (deps: AskDeps): Handlers<typeof trials, Actor> => ({
  request: (call) => requestTrial(deps, call.actor, call.params.uuid, call.body, byCaller(call)),
  requestPremium: (call) => requestPremium(deps, call.actor, call.params.uuid, call.body, byCaller(call)),
  list: ({ query, url }) => getRequests(deps, query, url),
  decide: (call) => decide(deps, call.params.uuid, call.body, byCaller(call)),
});
