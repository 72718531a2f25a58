import type { users } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { pageOf, windowOf } from "../../platform/http/pages.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import { listUsers } from "./users.store.ts";
import { acceptTerms, getUser, presentUser, signIn, updateUser, type UserDeps } from "./users.ts";

export const userRoutes = (deps: UserDeps): Handlers<typeof users, Actor> => ({
  login: ({ body, ...from }) => signIn(deps, body, from),
  signout: (call) => deps.sessions.close(call.actor.session, byCaller(call)),
  acceptTerms: (call) => acceptTerms(deps, call.actor, byCaller(call)),
  get: ({ actor, params }) => getUser(deps, actor, params.uuid),
  update: ({ actor, params, body }) => updateUser(deps, actor, params.uuid, body),
  list: async ({ actor, query, url }) => {
    const { count, results } = await listUsers(
      deps.db,
      {
        organization: actor.organization,
        search: query.search,
        searchField: query.search_field,
        only: query.users && { field: query.field, values: query.users },
        ordering: query.ordering,
      },
      windowOf(query),
    );
    return pageOf({ count, results: results.map(presentUser) }, query, url);
  },
});
