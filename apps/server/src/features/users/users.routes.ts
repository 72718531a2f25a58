import type { users } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { pageOf } from "../../platform/http/pages.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import { listUsers } from "./list-users.ts";
import { manageColleague } from "./manage-colleague.ts";
import { acceptTerms, getUser, signIn, updateSelf, type UserDeps } from "./users.ts";

export const userRoutes = (deps: UserDeps): Handlers<typeof users, Actor> => ({
  login: ({ body, ...from }) => signIn(deps, body, from),
  signout: (call) => deps.sessions.close(call.actor.session, byCaller(call)),
  acceptTerms: (call) => acceptTerms(deps, call.actor, byCaller(call)),
  get: ({ actor, params }) => getUser(deps, actor, params.uuid),
  update: (call) => {
    const { actor, body, params } = call;
    return params.uuid === actor.uuid
      ? updateSelf(deps, actor, body, byCaller(call))
      : manageColleague(deps, actor, params.uuid, body, byCaller(call));
  },
  list: async ({ actor, query, url }) => pageOf(await listUsers(deps, actor, query), query, url),
});
