import type { hardwareProfiles } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { pageOf, windowOf } from "../../platform/http/pages.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import { listHardwareProfiles } from "./hardware-profiles.store.ts";
import {
  createHardwareProfile,
  deleteHardwareProfile,
  editHardwareProfile,
  getHardwareProfile,
  type HardwareProfileDeps,
  presentHardwareProfile,
  presentHardwareProfiles,
} from "./hardware-profiles.ts";

export const hardwareProfileRoutes = (deps: HardwareProfileDeps): Handlers<typeof hardwareProfiles, Actor> => ({
  list: async ({ actor, query, url }) => {
    const { count, results } = await listHardwareProfiles(deps.db, actor, query, windowOf(query));
    return pageOf({ count, results: await presentHardwareProfiles(deps, actor, results) }, query, url);
  },
  get: async ({ actor, params }) =>
    presentHardwareProfile(deps, actor, await getHardwareProfile(deps.db, actor, params.uuid)),
  create: async ({ body, ...call }) =>
    presentHardwareProfile(deps, call.actor, await createHardwareProfile(deps, call.actor, body, byCaller(call))),
  edit: async ({ params, body, ...call }) =>
    presentHardwareProfile(
      deps,
      call.actor,
      await editHardwareProfile(deps, call.actor, params.uuid, body, byCaller(call)),
    ),
  delete: ({ params, ...call }) => deleteHardwareProfile(deps, call.actor, params.uuid, byCaller(call)),
});
