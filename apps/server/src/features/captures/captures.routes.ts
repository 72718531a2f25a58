import type { captures } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { pageOf } from "../../platform/http/pages.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import { manageableBy } from "./captures.policy.ts";
import { type CaptureDeps, getCapture, getCaptures, openCaptureFile, ownOf, removeCapture } from "./captures.ts";

export const captureRoutes = (deps: CaptureDeps): Handlers<typeof captures, Actor> => ({
  list: async ({ actor, query, url }) => {
    const me = ownOf(actor);
    const owner = query.organization_wide ? manageableBy(actor) : me;
    const { count, results, ...room } = await getCaptures(deps, { owner, me }, query);
    return { ...pageOf({ count, results }, query, url), ...room };
  },
  get: ({ actor, params }) => getCapture(deps, ownOf(actor), params.uuid),
  download: ({ actor, params }) => openCaptureFile(deps, ownOf(actor), params.uuid),
  delete: ({ params, ...call }) => removeCapture(deps, manageableBy(call.actor), params.uuid, byCaller(call)),
});
