import type { programSignIns } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import { begin, decide, finish, getAsking, type ProgramSignInDeps } from "./program-sign-ins.ts";

export const programSignInRoutes = (deps: ProgramSignInDeps): Handlers<typeof programSignIns, Actor> => ({
  begin: ({ body, ip }) => begin(deps, body, ip),
  finish: ({ body, ...from }) => finish(deps, body.device_code, from),
  get: ({ actor, query }) => getAsking(deps, actor, query.code),
  decide: ({ body, ...call }) => decide(deps, call.actor, body, byCaller(call)),
});
