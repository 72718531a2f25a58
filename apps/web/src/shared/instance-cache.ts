import type { Instance, InstanceChange } from "@terrarium/contract";
import type { QueryClient } from "@tanstack/react-query";

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

/** The newer of what we know and what was told: the higher revision. Events may come twice and in any order. */
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

/** Changes remembered for answers that are on their way; more than any page shows. */
const MAX_REMEMBERED = 1000;
const latest = new Map<string, InstanceChange>();

function remember(change: InstanceChange): void {
  if ((latest.get(change.uuid)?.revision ?? 0) >= change.revision) return;
  latest.delete(change.uuid);
  latest.set(change.uuid, change);
  const [oldest] = latest.keys();
  if (latest.size > MAX_REMEMBERED && oldest !== undefined) latest.delete(oldest);
}

/** An answer that was overtaken by an event on its way here, brought up to date. */
export function withNews(known: Instance): Instance {
  const change = latest.get(known.uuid);
  return change ? mergeChange(known, change) : known;
}

/** Puts a change into whatever is cached or still to come. True when some list shows the device. */
export function applyChange(cache: QueryClient, change: InstanceChange): boolean {
  remember(change);
  cache.setQueriesData<InstancePage>({ queryKey: instanceKeys.lists }, (page) => page && mergeIntoPage(page, change));
  cache.setQueryData<Instance>(instanceKeys.one(change.uuid), (known) => known && mergeChange(known, change));
  return cache
    .getQueriesData<InstancePage>({ queryKey: instanceKeys.lists })
    .some(([, page]) => page?.results.some((row) => row.uuid === change.uuid));
}
