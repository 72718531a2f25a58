import type { liveSessions } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { pageOf } from "../../platform/http/pages.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import {
  endLiveSession,
  getLiveSession,
  invite,
  listLiveSessions,
  type LiveSessionDeps,
  removeParticipant,
  setControl,
  shareInstance,
} from "./live-sessions.ts";

export const liveSessionRoutes = (deps: LiveSessionDeps): Handlers<typeof liveSessions, Actor> => ({
  list: async ({ actor, query, url }) => pageOf(await listLiveSessions(deps, actor, query), query, url),
  get: ({ actor, params }) => getLiveSession(deps, actor, params.uuid),
  create: ({ body, ...call }) => shareInstance(deps, call.actor, body, byCaller(call)),
  delete: ({ params, ...call }) => endLiveSession(deps, call.actor, params.uuid, byCaller(call)),
  invite: ({ body, ...call }) => invite(deps, call.actor, body, byCaller(call)),
  setControl: ({ params, body, ...call }) =>
    setControl(deps, call.actor, params.uuid, body.can_control, byCaller(call)),
  remove: ({ params, ...call }) => removeParticipant(deps, call.actor, params.uuid, byCaller(call)),
});
