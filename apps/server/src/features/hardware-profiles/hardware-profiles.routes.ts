import type { hardwareProfiles } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import type { Handlers } from "../../platform/http/implement.ts";
import { pageOf, windowOf } from "../../platform/http/pages.ts";
import type { Actor } from "../sessions/actor.ts";
import { listHardwareProfiles } from "./hardware-profiles.store.ts";
import { getHardwareProfile, presentHardwareProfile, presentHardwareProfiles } from "./hardware-profiles.ts";

export const hardwareProfileRoutes = ({ db }: { db: Database }): Handlers<typeof hardwareProfiles, Actor> => ({
  list: async ({ actor, query, url }) => {
    const { count, results } = await listHardwareProfiles(db, actor, query, windowOf(query));
    return pageOf({ count, results: await presentHardwareProfiles({ db }, actor, results) }, query, url);
  },
  get: async ({ actor, params }) =>
    presentHardwareProfile({ db }, actor, await getHardwareProfile(db, actor, params.uuid)),
});
