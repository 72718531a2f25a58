import type { shares } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import { changeShare, endShare, getShare, type ShareDeps } from "./shares.ts";

export const shareRoutes = (deps: ShareDeps): Handlers<typeof shares, Actor> => ({
  get: ({ actor, params }) => getShare(deps, actor, params.uuid),
  update: ({ params, body, ...call }) => changeShare(deps, call.actor, params.uuid, body, byCaller(call)),
  delete: ({ params, ...call }) => endShare(deps, call.actor, params.uuid, byCaller(call)),
});
