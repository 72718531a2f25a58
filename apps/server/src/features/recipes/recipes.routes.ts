import { AppError, type recipes } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { pageOf, windowOf } from "../../platform/http/pages.ts";
import { byCaller } from "../audit/by.ts";
import { presentHardwareProfile } from "../hardware-profiles/hardware-profiles.ts";
import { type StartDeps, startInstance } from "../instances/start-instance.ts";
import { archesOf, presentOsImage } from "../os-images/os-images.ts";
import type { Actor } from "../sessions/actor.ts";
import { type ShareDeps, shareRecipe } from "../shares/shares.ts";
import { presentRecipe, presentRecipes } from "./present-recipe.ts";
import { listComplete, listRecipes } from "./recipes.store.ts";
import { createRecipe, deleteRecipe, editRecipe, getRecipe, type RecipeDeps } from "./recipes.ts";
import { rollBackRecipe } from "./roll-back.ts";

/** How many recipes of a kind are named. */
const MAX_NAMED = 1000;

export const recipeRoutes = (deps: StartDeps & RecipeDeps & ShareDeps): Handlers<typeof recipes, Actor> => ({
  list: async ({ actor, query: { limit, ...given }, url }) => {
    const query = { ...given, page_size: limit ?? given.page_size };
    const filter = { ...query, arch: archesOf(query.arch), formFactors: query.form_factor };
    const { count, results } = await listRecipes(deps.db, actor, filter, windowOf(query));
    return pageOf({ count, results: await presentRecipes(deps, actor, results) }, query, url);
  },
  listByKind: async ({ actor }) => ({
    official: await listComplete(deps.db, actor, "official", MAX_NAMED),
    custom: await listComplete(deps.db, actor, "custom", MAX_NAMED),
  }),
  get: async ({ actor, params }) => presentRecipe(deps, actor, await getRecipe(deps.db, actor, params.uuid)),
  create: async ({ body, ...call }) =>
    presentRecipe(deps, call.actor, await createRecipe(deps, call.actor, body, byCaller(call))),
  edit: async ({ params, body, ...call }) =>
    presentRecipe(deps, call.actor, await editRecipe(deps, call.actor, params.uuid, body, byCaller(call))),
  delete: ({ params, body, ...call }) => deleteRecipe(deps, call.actor, params.uuid, body, byCaller(call)),
  hardwareProfile: async ({ actor, params }) => {
    const { hardware_profile: profile } = await getRecipe(deps.db, actor, params.uuid);
    if (!profile) throw new AppError("HARDWARE_PROFILE_NOT_FOUND");
    return presentHardwareProfile(deps, actor, profile);
  },
  osImage: async ({ actor, params }) => {
    const { os_image: image } = await getRecipe(deps.db, actor, params.uuid);
    if (!image) throw new AppError("OS_IMAGE_NOT_FOUND");
    return presentOsImage(deps, actor, image);
  },
  start: ({ params, body, idempotencyKey, origin, ...call }) =>
    startInstance(deps, call.actor, { recipe: params.uuid, body, idempotencyKey, origin, by: byCaller(call) }),
  share: ({ params, body, ...call }) => shareRecipe(deps, call.actor, params.uuid, body, byCaller(call)),
  rollBack: async ({ params, ...call }) =>
    presentRecipe(deps, call.actor, await rollBackRecipe(deps, call.actor, params.uuid, byCaller(call))),
});
