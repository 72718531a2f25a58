import type { sso } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { byCaller } from "../audit/by.ts";
import { type Actor, sessionOf } from "../sessions/actor.ts";
import { getIdentities, unlinkIdentity } from "./identities.ts";
import { begin, finishLink, finishSignIn, type SsoDeps } from "./sso.ts";

export const ssoRoutes = (deps: SsoDeps): Handlers<typeof sso, Actor> => ({
  loginUrl: ({ query, ...from }) => begin(deps, query, from),
  callback: ({ query, ...from }) => finishSignIn(deps, query, from),
  linkUrl: ({ query, ...call }) => {
    sessionOf(call.actor);
    return begin(deps, query, call, call.actor);
  },
  link: ({ body, ...call }) => finishLink(deps, call.actor, body, call),
  identities: ({ actor, params }) => getIdentities(deps, actor, params.uuid),
  unlink: (call) => unlinkIdentity(deps, call.actor, call.params, byCaller(call)),
});
