import type { sessions } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "./actor.ts";
import { endOtherSessions, endOwnSession, listOwnSessions, type OwnSessionDeps } from "./own-sessions.ts";

export const sessionRoutes = (deps: OwnSessionDeps): Handlers<typeof sessions, Actor> => ({
  list: async ({ actor }) => ({ sessions: await listOwnSessions(deps, actor) }),
  end: ({ params, ...call }) => endOwnSession(deps, call.actor, params.uuid, byCaller(call)),
  endOthers: (call) => endOtherSessions(deps, call.actor, byCaller(call)),
});
