import type { CatalogueChange } from "@terrarium/contract";
import { instanceKeys } from "../instance-cache.ts";
import type { LiveTopic } from "../live-topic.ts";
import { latestOfCatalogue, without, withStatus } from "./catalogue-news.ts";

const catalogues = [["recipes"], ["os-images"], ["hardware-profiles"]] as const;

/** Recipes and OS images change their status where they are shown, also as the recipe of a device. */
export const catalogueTopic: LiveTopic<CatalogueChange> = {
  apply(cache, change) {
    if (change.is_gone) {
      for (const queryKey of catalogues)
        cache.setQueriesData({ queryKey }, (data: unknown) => {
          const next = without(data, change.uuid);
          return next === data ? undefined : next;
        });
      return;
    }
    latestOfCatalogue.remember(change);
    for (const queryKey of [...catalogues, instanceKeys.lists, instanceKeys.singles])
      cache.setQueriesData({ queryKey }, (data: unknown) => {
        const next = withStatus(data, change);
        // Nothing is written where nothing changes: what is there would pass for fresh.
        return next === data ? undefined : next;
      });
  },
  // What else is new, such as what can be rolled back, and how many recipes a part has.
  recount: catalogues,
  refetch: catalogues,
  forget() {},
};
