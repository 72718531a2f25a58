import type { Instance, InstanceChange } from "@terrarium/contract";
import type { QueryClient } from "@tanstack/react-query";
import { latestOfCatalogue, withStatus } from "./catalogue/catalogue-news.ts";
import { Latest } from "./latest.ts";

/** One page of devices, as the list answers it. */
export interface InstancePage {
  count: number;
  results: Instance[];
}

/** How cached devices are found: lists of them, and single ones wherever they are shown. */
export const instanceKeys = {
  lists: ["instances", "list"] as const,
  counts: ["instances", "count"] as const,
  singles: ["instance"] as const,
  one: (uuid: string) => ["instance", uuid] as const,
};

/** The newer of what we know and what an event says: the higher revision. Events may come twice and in any order. */
export function mergeChange(known: Instance, change: InstanceChange): Instance {
  if (known.uuid !== change.uuid || known.revision >= change.revision) return known;
  const { owner_uuid: _, ...news } = change;
  return { ...known, ...news };
}

/** Brings a page up to date in place: no row comes, goes or moves. */
export function mergeIntoPage<Page extends InstancePage>(page: Page, change: InstanceChange): Page {
  const results = page.results.map((known) => mergeChange(known, change));
  return results.every((row, index) => row === page.results[index]) ? page : { ...page, results };
}

const latest = new Latest<InstanceChange>();

/** An answer that was overtaken by events on its way here, of the device or its recipe, brought up to date. */
export function withNews(known: Instance): Instance {
  const change = latest.get(known.uuid);
  const device = change ? mergeChange(known, change) : known;
  const ofRecipe = device.recipe && latestOfCatalogue.get(device.recipe.uuid);
  return ofRecipe ? withStatus(device, ofRecipe) : device;
}

/** Puts a change into whatever is cached or still to come. True when some list shows the device. */
export function applyChange(cache: QueryClient, change: InstanceChange): boolean {
  latest.remember(change);
  cache.setQueriesData<InstancePage>({ queryKey: instanceKeys.lists }, (page) => page && mergeIntoPage(page, change));
  cache.setQueryData<Instance>(instanceKeys.one(change.uuid), (known) => known && mergeChange(known, change));
  return cache
    .getQueriesData<InstancePage>({ queryKey: instanceKeys.lists })
    .some(([, page]) => page?.results.some((row) => row.uuid === change.uuid));
}
