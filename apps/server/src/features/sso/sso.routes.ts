import { AppError, type sso } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import { getIdentities, unlinkIdentity } from "./identities.ts";
import { begin, finish, type SsoDeps } from "./sso.ts";

export const ssoRoutes = (deps: SsoDeps): Handlers<typeof sso, Actor> => ({
  loginUrl: ({ query, ...from }) => begin(deps, query, from),
  callback: ({ query, ...from }) => finish(deps, query, from),
  linkUrl: ({ query, ...call }) => begin(deps, query, call, withSession(call.actor)),
  identities: ({ actor, params }) => getIdentities(deps, actor, params.uuid),
  unlink: (call) => unlinkIdentity(deps, call.actor, call.params, byCaller(call)),
});

/** A token of a program is no reason to change how its owner signs in. */
function withSession(actor: Actor): Actor & { session: string } {
  if (actor.session === undefined) throw new AppError("FORBIDDEN");
  return { ...actor, session: actor.session };
}
