import type { signInRules } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import { getRules, setRules, type SignInRuleDeps } from "./sign-in-rules.ts";

export const signInRuleRoutes = (deps: SignInRuleDeps): Handlers<typeof signInRules, Actor> => ({
  get: ({ actor, params }) => getRules(deps.db, actor, params.uuid),
  set: (call) => setRules(deps, call.actor, { ...call.params, ...call.body }, byCaller(call)),
});
