import type { profile } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import { deleteOwnAccount, previewDeletion, type ProfileDeps } from "./delete-account.ts";
import { exportOf } from "./export.ts";

export const profileRoutes = (deps: ProfileDeps): Handlers<typeof profile, Actor> => ({
  deletion: ({ actor, params }) => previewDeletion(deps, actor, params.uuid),
  remove: (call) => deleteOwnAccount(deps, call.actor, { ...call.params, ...call.body }, byCaller(call)),
  export: (call) => exportOf(deps, call.actor, call.params.uuid, byCaller(call)),
});
