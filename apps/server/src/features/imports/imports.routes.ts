import type { imports } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import { type ImportDeps, importUsers } from "./imports.ts";

export const importRoutes = (deps: ImportDeps): Handlers<typeof imports, Actor> => ({
  addUsersToGroups: (call) => {
    const { dry_run: isTrial, create_groups: createsGroups, report } = call.query;
    const [file] = call.body.files.file;
    if (!file) throw new Error("A form without its file is refused before");
    const how = { isTrial, createsGroups, asLines: report === "lines", by: byCaller(call) };
    return importUsers(deps, call.actor, { file, into: call.params.uuid, ...how });
  },
});
