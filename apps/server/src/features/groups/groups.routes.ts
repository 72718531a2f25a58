import { AppError, type groups } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { pageOf, windowOf } from "../../platform/http/pages.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import { listUsers } from "../users/accounts.ts";
import { presentUser } from "../users/present-user.ts";
import { addUsers, checkGroup, moveUsers, removeUsers } from "./group-users.ts";
import { createGroup, editGroup, getGroups, type GroupDeps, removeGroup } from "./groups.ts";

export const groupRoutes = (deps: GroupDeps): Handlers<typeof groups, Actor> => ({
  list: ({ actor, query }) => getGroups(deps, actor, query.search),
  create: (call) => createGroup(deps, call.actor, call.body, byCaller(call)),
  edit: (call) => editGroup(deps, call.actor, call.params.uuid, call.body, byCaller(call)),
  delete: (call) => removeGroup(deps, call.actor, call.params.uuid, byCaller(call)),
  users: async ({ actor, params: { uuid: group }, query, url }) => {
    await checkGroup(deps, actor, group);
    const { search, ordering } = query;
    const filter = { organization: actor.organization, group, search, ordering };
    const { count, results } = await listUsers(deps.db, filter, windowOf(query));
    return pageOf({ count, results: results.map(presentUser) }, query, url);
  },
  addUsers: (call) => addUsers(deps, call.actor, call.params.uuid, call.body.user_uuids, byCaller(call)),
  moveUsers: (call) => moveUsers(deps, call.actor, call.params.uuid, call.body, byCaller(call)),
  removeUsers: (call) => {
    const users = call.body.user_uuids ?? call.query.user_uuids ?? [];
    if (users.length === 0)
      throw new AppError("invalid_request", { fields: [{ field: "user_uuids", message: "Required" }] });
    return removeUsers(deps, call.actor, call.params.uuid, users, byCaller(call));
  },
});
