import type { replayLinks } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { byCaller } from "../audit/by.ts";
import { ownOf } from "../captures/captures.ts";
import type { Actor } from "../sessions/actor.ts";
import { createLink, getLink, openLink, type ReplayLinkDeps, revokeLink } from "./replay-links.ts";

export const replayLinkRoutes = (deps: ReplayLinkDeps): Handlers<typeof replayLinks, Actor> => ({
  create: ({ params, body, ...call }) => createLink(deps, ownOf(call.actor), { ...params, ...body }, byCaller(call)),
  get: ({ actor, params }) => getLink(deps, ownOf(actor), params.uuid),
  revoke: ({ params, ...call }) => revokeLink(deps, ownOf(call.actor), params.uuid, byCaller(call)),
  open: ({ params, ip }) => openLink(deps, params.key, ip),
});
