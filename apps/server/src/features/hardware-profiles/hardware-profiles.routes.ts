import { AppError, type hardwareProfiles } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import type { Handlers } from "../../platform/http/implement.ts";
import { pageOf, windowOf } from "../../platform/http/pages.ts";
import type { Actor } from "../sessions/actor.ts";
import { hardwareProfilesFor, listHardwareProfiles } from "./hardware-profiles.store.ts";
import { presentHardwareProfile } from "./hardware-profiles.ts";

export const hardwareProfileRoutes = ({ db }: { db: Database }): Handlers<typeof hardwareProfiles, Actor> => ({
  list: async ({ actor, query, url }) => {
    const filter = {
      organization: actor.organization ?? "",
      owner: actor.uuid,
      search: query.search,
      source: query.source,
    };
    const { count, results } = await listHardwareProfiles(db, filter, windowOf(query));
    return pageOf({ count, results: results.map(presentHardwareProfile) }, query, url);
  },
  get: async ({ actor, params }) => {
    const row = await hardwareProfilesFor(db, actor.organization ?? "")
      .selectAll()
      .where("uuid", "=", params.uuid)
      .executeTakeFirst();
    if (!row) throw new AppError("HARDWARE_PROFILE_NOT_FOUND");
    return presentHardwareProfile(row);
  },
});
