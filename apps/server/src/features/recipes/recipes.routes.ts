import type { recipes } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import type { Handlers } from "../../platform/http/implement.ts";
import { pageOf, windowOf } from "../../platform/http/pages.ts";
import { type StartDeps, startInstance } from "../instances/start-instance.ts";
import { archesOf } from "../os-images/os-images.ts";
import type { Actor } from "../sessions/actor.ts";
import { listRecipes } from "./recipes.store.ts";
import { getRecipe, presentRecipe } from "./recipes.ts";
import { rollBackRecipe } from "./roll-back.ts";

const ALL = { limit: 1000, offset: 0 };

export const recipeRoutes = (deps: StartDeps & { db: Database }): Handlers<typeof recipes, Actor> => ({
  list: async ({ actor, query, url }) => {
    const filter = {
      ...query,
      arch: archesOf(query.arch),
      formFactors: query.form_factor,
    };
    const { count, results } = await listRecipes(deps.db, actor, filter, windowOf(query));
    return pageOf({ count, results: results.map((row) => presentRecipe(row, deps.runtimes)) }, query, url);
  },
  listByKind: async ({ actor }) => {
    const { results } = await listRecipes(deps.db, actor, { source: "all" }, ALL);
    const named = (official: boolean) =>
      results.filter((row) => row.is_official === official).map(({ uuid, name }) => ({ uuid, name }));
    return { official: named(true), custom: named(false) };
  },
  get: async ({ actor, params }) => presentRecipe(await getRecipe(deps.db, actor, params.uuid), deps.runtimes),
  start: ({ actor, params, body, idempotencyKey, origin }) =>
    startInstance(deps, actor, { recipe: params.uuid, body, idempotencyKey, origin }),
  rollBack: ({ actor, params }) => rollBackRecipe(deps, actor, params.uuid),
});
