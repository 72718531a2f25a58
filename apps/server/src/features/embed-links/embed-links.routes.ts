import type { embedLinks } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import { createLink, type EmbedLinkDeps, listLinks, openLink, revokeLink } from "./embed-links.ts";

export const embedLinkRoutes = (deps: EmbedLinkDeps): Handlers<typeof embedLinks, Actor> => ({
  create: ({ params, body, origin, ...call }) =>
    createLink(deps, call.actor, { ...params, ...body }, { origin, by: byCaller(call) }),
  list: ({ actor, params }) => listLinks(deps, actor, params.uuid),
  revoke: ({ params, ...call }) => revokeLink(deps, call.actor, params, byCaller(call)),
  open: ({ body, ...call }) => openLink(deps, body.key, call),
});
