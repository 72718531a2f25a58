import { limits, type users } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { pageOf, windowOf } from "../../platform/http/pages.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import { lookUpByEmail } from "./look-up.ts";
import { listUsers } from "./users.store.ts";
import { acceptTerms, getUser, presentFound, signIn, updateUser, type UserDeps } from "./users.ts";

export const userRoutes = (deps: UserDeps): Handlers<typeof users, Actor> => ({
  login: ({ body, ...from }) => signIn(deps, body, from),
  signout: (call) => deps.sessions.close(call.actor.session, byCaller(call)),
  acceptTerms: (call) => acceptTerms(deps, call.actor, byCaller(call)),
  get: ({ actor, params }) => getUser(deps, actor, params.uuid),
  update: (call) => updateUser(deps, call.actor, call.params.uuid, call.body, byCaller(call)),
  list: async ({ actor, query, url }) => {
    const found = isLookUp(query) ? await lookUpByEmail(deps, actor, query.users) : [];
    const { count, results } = await listUsers(
      deps.db,
      {
        organization: actor.organization,
        guests: found.map(({ uuid }) => uuid),
        search: query.search,
        searchField: query.search_field,
        only: query.users && { field: query.field, values: query.users },
        ordering: query.ordering,
      },
      windowOf(query),
    );
    return pageOf({ count, results: results.map((user) => presentFound(actor, user)) }, query, url);
  },
});

interface Asked {
  users?: string[] | undefined;
  field: "email" | "uuid";
  search?: string | undefined;
  ordering: readonly { field: string }[];
}

/** Whether guests are looked up as well. Not where the list would tell by search or order what their names are. */
const isLookUp = <Query extends Asked>(query: Query): query is Query & { users: string[] } =>
  query.field === "email" &&
  query.users !== undefined &&
  query.users.length <= limits.shareRecipients &&
  !query.search &&
  query.ordering.every(({ field }) => !field.endsWith("_name"));
