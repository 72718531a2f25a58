import type { osImages } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { pageOf, windowOf } from "../../platform/http/pages.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import { listOsImages } from "./os-images.store.ts";
import {
  archesOf,
  type ChangeOsImageDeps,
  deleteOsImage,
  duplicateOsImage,
  editOsImage,
  getOsImage,
  type OsImageDeps,
  presentOsImage,
  presentOsImages,
} from "./os-images.ts";

export const osImageRoutes = (deps: OsImageDeps & ChangeOsImageDeps): Handlers<typeof osImages, Actor> => ({
  list: async ({ actor, query, url }) => {
    const filter = { ...query, arch: archesOf(query.arch) };
    const { count, results } = await listOsImages(deps.db, actor, filter, windowOf(query));
    return pageOf({ count, results: await presentOsImages(deps, actor, results) }, query, url);
  },
  get: async ({ actor, params }) => presentOsImage(deps, actor, await getOsImage(deps.db, actor, params.uuid)),
  duplicate: async ({ params, body, ...call }) =>
    presentOsImage(deps, call.actor, await duplicateOsImage(deps, call.actor, params.uuid, body.name, byCaller(call))),
  edit: async ({ params, body, ...call }) =>
    presentOsImage(deps, call.actor, await editOsImage(deps, call.actor, params.uuid, body, byCaller(call))),
  delete: ({ params, ...call }) => deleteOsImage(deps, call.actor, params.uuid, byCaller(call)),
});
