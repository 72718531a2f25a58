import { AppError, type instances } from "@terrarium/contract";
import type { Reads } from "../../platform/db/reads.ts";
import type { Handlers } from "../../platform/http/implement.ts";
import { pageOf, windowOf } from "../../platform/http/pages.ts";
import type { Actor } from "../sessions/actor.ts";
import { dismissInstance, getInstance, type InstanceDeps, openDisplay, stopInstance } from "./instances.ts";
import { type InstanceFilter, listInstances } from "./list-instances.store.ts";
import { presentInstance } from "./present-instance.ts";
import type { Snapshots } from "./snapshots.ts";

export interface InstanceRouteDeps extends InstanceDeps {
  reads: Reads;
  snapshots: Snapshots;
}

export const instanceRoutes = (deps: InstanceRouteDeps): Handlers<typeof instances, Actor> => ({
  list: async ({ actor, query, origin, url }) => {
    const filter = {
      of: whoseDevices(actor, query),
      states: query.state,
      search: query.search,
      ordering: query.ordering,
    };
    const { count, results: rows } = await listInstances(deps.reads, filter, windowOf(query));
    const snapshotOf = await deps.snapshots.of(rows.map(({ uuid }) => uuid));
    const results = rows.map((row) => presentInstance({ ...row, snapshot: snapshotOf(row.uuid) }, origin));
    return pageOf({ count, results }, query, url);
  },
  get: async ({ actor, params, origin }) => presentInstance(await getInstance(deps, actor, params.uuid, "see"), origin),
  stop: ({ actor, params, origin }) => stopInstance(deps, actor, params.uuid, origin),
  dismiss: ({ actor, params }) => dismissInstance(deps, actor, params.uuid),
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
