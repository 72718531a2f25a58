import type { sso } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import { getIdentities, unlinkIdentity } from "./identities.ts";
import { begin, beginLink, finishLink, finishSignIn, type SsoDeps } from "./sso.ts";

export const ssoRoutes = (deps: SsoDeps): Handlers<typeof sso, Actor> => ({
  loginUrl: ({ query, ...from }) => begin(deps, query, from),
  callback: ({ query, ...from }) => finishSignIn(deps, query, from),
  linkUrl: ({ body, ...call }) => beginLink(deps, call.actor, body, call),
  link: ({ body, ...call }) => finishLink(deps, call.actor, body, call),
  identities: ({ actor, params }) => getIdentities(deps, actor, params.uuid),
  unlink: (call) => unlinkIdentity(deps, call.actor, { ...call.params, ...call.body }, byCaller(call)),
});
