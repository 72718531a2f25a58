import type { shares } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import { mailedOrigin } from "./mailed-origin.ts";
import { changeShare, endShare, getShare, type ShareDeps } from "./shares.ts";

export interface ShareRouteDeps extends ShareDeps {
  publicUrl: string | undefined;
}

export const shareRoutes = (deps: ShareRouteDeps): Handlers<typeof shares, Actor> => ({
  get: ({ actor, params }) => getShare(deps, actor, params.uuid),
  update: ({ params, body, ...call }) =>
    changeShare(deps, call.actor, params.uuid, body, { by: byCaller(call), origin: mailedOrigin(deps, call) }),
  delete: ({ params, ...call }) => endShare(deps, call.actor, params.uuid, { by: byCaller(call), origin: undefined }),
});
