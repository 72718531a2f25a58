import { type Arch, type Instance, limits, type Recipe, type recipes, type Sent } from "@terrarium/contract";
import { keepPreviousData } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import { mutation } from "../../components/mutation.ts";
import { snack, type SnackAction } from "../../components/snack-queue.ts";
import { client } from "../../session/client.ts";
import { type DeviceShape, formFactorOf, shapes } from "../../shared/FormFactorTile.tsx";
import { shelfOf } from "./shelf.ts";

type RecipeListQuery = Sent<typeof recipes.list>["query"];

/** A page of recipes. */
export const recipeList = (query: RecipeListQuery) => ({
  queryKey: ["recipes", "list", query] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => client.recipes.list({ query }, { signal }),
});

/** One recipe, as it is now. */
export const recipeOf = (uuid: string) => ({
  queryKey: ["recipes", "one", uuid] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => client.recipes.get({ params: { uuid } }, { signal }),
});

/** Recipes, page after page. What was found before stays in sight until the first page of another search is there. */
export const recipePages = (query: RecipeListQuery) => ({
  queryKey: ["recipes", "pages", query] as const,
  queryFn: ({ pageParam: page, signal }: { pageParam: number; signal: AbortSignal }) =>
    client.recipes.list({ query: { ...query, page, page_size: limits.pageSize } }, { signal }),
  initialPageParam: 1,
  getNextPageParam: ({ count }: { count: number }, pages: readonly unknown[]) =>
    pages.length * limits.pageSize < count ? pages.length + 1 : undefined,
  placeholderData: keepPreviousData,
});

/** Recipes for an empty launchpad: `recent` ones, then the first of each shape. `arch`: what the organization supports. */
export const recipeShelf = (recent: readonly string[], arch: Arch[] | undefined) => ({
  queryKey: ["recipes", "shelf", recent, arch] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const first = async (shape: DeviceShape) => {
      const query = { form_factor: [formFactorOf(shape)], arch, page: 1, page_size: 1 };
      return (await client.recipes.list({ query }, { signal })).results[0];
    };
    return shelfOf(
      // What was deleted, or belongs to somebody else who signed in here, is passed over.
      await Promise.all(
        recent.map((uuid) => client.recipes.get({ params: { uuid } }, { signal }).catch(() => undefined)),
      ),
      await Promise.all(shapes.map(first)),
    );
  },
});

/** Minutes; `automatic` leaves it to the organization. */
export type Idle = "automatic" | number;

export interface StartAsk {
  recipe: Recipe;
  name: string;
  idle: Idle;
  /** Whether it waits if there is no room for it. */
  queue?: boolean | undefined;
  /** An ask that is repeated under its key starts no second device. */
  key: string;
}

/** What is sent to the service about a device that is to start. */
export const startBodyOf = ({ name, idle, queue }: Pick<StartAsk, "name" | "idle" | "queue">) => ({
  instance_name: name.trim(),
  rename_on_conflict: true,
  ...(idle === "automatic"
    ? { automatic_release: { type: "after_inactivity" as const } }
    : { timeouts: { inactivity: idle } }),
  ...(queue !== undefined && { queue }),
});

const start = {
  mutationKey: ["recipes", "start"],
  mutationFn: ({ recipe, key, ...ask }: StartAsk) =>
    client.recipes.start({ params: { uuid: recipe.uuid }, body: startBodyOf(ask) }, { idempotencyKey: key }),
};

const saysStarted = (t: TFunction, { name }: Instance): string => t("recipes.startRecipeSuccess", { name });
const offersStarted = (t: TFunction, { uuid }: Instance): SnackAction => ({
  label: t("common.open"),
  to: `/instance/${uuid}`,
});

/** Starts a device. The page where this was asked for says why it was refused. */
export const startDevice = mutation({
  ...start,
  says: saysStarted,
  offers: offersStarted,
});

/** The same for a page that then shows the device, so that there is nothing to announce. */
export const startAndShow = mutation(start);

/** For a page that was to show the device, and was left meanwhile. */
export const sayStarted = (t: TFunction, device: Instance) =>
  snack("success", saysStarted(t, device), offersStarted(t, device));
