import { AppError, type Instance, type instances } from "@terrarium/contract";
import type { Lists } from "../../platform/db/lists.ts";
import type { Handlers } from "../../platform/http/implement.ts";
import { pageOf, windowOf } from "../../platform/http/pages.ts";
import type { Presented } from "../../platform/presented.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import {
  dismissInstance,
  extendInstance,
  type InstanceDeps,
  openDisplay,
  seeInstance,
  stopInstance,
} from "./instances.ts";
import { installApp, type InstallDeps } from "./install-app.ts";
import { type InstanceFilter, type ListedInstance, listInstances } from "./list-instances.store.ts";
import { presentInstance } from "./present-instance.ts";
import { type SaveDeps, saveInstance } from "./save-instance.ts";

export interface InstanceRouteDeps extends InstanceDeps, InstallDeps, SaveDeps {
  lists: Lists;
  presented: Presented<ListedInstance, Instance>;
}

export const instanceRoutes = (deps: InstanceRouteDeps): Handlers<typeof instances, Actor> => ({
  list: async ({ actor, query, origin, url }) => {
    const filter = {
      of: whoseDevices(actor, query),
      states: query.state,
      search: query.search,
      ordering: query.ordering,
    };
    const { count, results: rows } = await listInstances(deps.lists, filter, windowOf(query));
    return pageOf({ count, results: await deps.presented.of(rows, origin) }, query, url);
  },
  get: async ({ actor, params, origin }) => presentInstance(await seeInstance(deps, actor, params.uuid), origin),
  stop: ({ params, origin, ...call }) => stopInstance(deps, call.actor, params.uuid, origin, byCaller(call)),
  save: ({ params, body, idempotencyKey, ...call }) =>
    saveInstance(deps, call.actor, { instance: params.uuid, body, idempotencyKey, by: byCaller(call) }),
  dismiss: ({ params, ...call }) => dismissInstance(deps, call.actor, params.uuid, byCaller(call)),
  extend: ({ params, body, origin, ...call }) =>
    extendInstance(deps, call.actor, { ...params, ...body, origin }, byCaller(call)),
  installApp: ({ params, body, ...call }) => installApp(deps, call.actor, params.uuid, body, byCaller(call)),
  accessToken: ({ actor, body }) => openDisplay(deps, actor, body.instance_uuid),
});

/** One's own, unless a manager asks for the organization's. Another organization's are nobody's business. */
function whoseDevices(
  actor: Actor,
  query: { organization_wide?: boolean | undefined; organization_uuid?: string | undefined },
): InstanceFilter["of"] {
  if (query.organization_uuid !== undefined && query.organization_uuid !== actor.organization)
    throw new AppError("FORBIDDEN");
  const wide = query.organization_wide ?? query.organization_uuid !== undefined;
  return wide && actor.isManager && actor.organization ? { organization: actor.organization } : { owner: actor.uuid };
}
