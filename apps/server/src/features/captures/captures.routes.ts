import type { captures } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { pageOf } from "../../platform/http/pages.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import { type CaptureDeps, getCapture, getCaptures, openCaptureFile, ownerOf, removeCapture } from "./captures.ts";

export const captureRoutes = (deps: CaptureDeps): Handlers<typeof captures, Actor> => ({
  list: async ({ actor, query, url }) => {
    const { used_bytes, max_bytes, ...rows } = await getCaptures(deps, ownerOf(actor), query);
    return { ...pageOf(rows, query, url), used_bytes, max_bytes };
  },
  get: ({ actor, params }) => getCapture(deps, ownerOf(actor), params.uuid),
  download: ({ actor, params }) => openCaptureFile(deps, ownerOf(actor), params.uuid),
  delete: ({ params, ...call }) => removeCapture(deps, ownerOf(call.actor), params.uuid, byCaller(call)),
});
