import type { osImages } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import type { Handlers } from "../../platform/http/implement.ts";
import { pageOf, windowOf } from "../../platform/http/pages.ts";
import type { Actor } from "../sessions/actor.ts";
import { listOsImages } from "./os-images.store.ts";
import { archesOf, getOsImage, presentOsImage } from "./os-images.ts";

interface Deps {
  db: Database;
  /** Names of the runtimes this installation has. */
  runtimes: ReadonlySet<string>;
}

export const osImageRoutes = ({ db, runtimes }: Deps): Handlers<typeof osImages, Actor> => ({
  list: async ({ actor, query, url }) => {
    const filter = { ...query, arch: archesOf(query.arch) };
    const { count, results } = await listOsImages(db, actor, filter, windowOf(query));
    return pageOf({ count, results: results.map((row) => presentOsImage(row, runtimes)) }, query, url);
  },
  get: async ({ actor, params }) => presentOsImage(await getOsImage(db, actor, params.uuid), runtimes),
});
