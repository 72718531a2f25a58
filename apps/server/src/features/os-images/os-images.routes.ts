import type { osImages } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { pageOf, windowOf } from "../../platform/http/pages.ts";
import type { Actor } from "../sessions/actor.ts";
import { listOsImages } from "./os-images.store.ts";
import { archesOf, getOsImage, type OsImageDeps, presentOsImage, presentOsImages } from "./os-images.ts";

export const osImageRoutes = (deps: OsImageDeps): Handlers<typeof osImages, Actor> => ({
  list: async ({ actor, query, url }) => {
    const filter = { ...query, arch: archesOf(query.arch) };
    const { count, results } = await listOsImages(deps.db, actor, filter, windowOf(query));
    return pageOf({ count, results: await presentOsImages(deps, actor, results) }, query, url);
  },
  get: async ({ actor, params }) => presentOsImage(deps, actor, await getOsImage(deps.db, actor, params.uuid)),
});
