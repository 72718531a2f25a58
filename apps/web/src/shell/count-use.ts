import { queryClient } from "../session/client.ts";
import { type AnalyticsEvent, track } from "../shared/analytics.ts";

/** What the success of a mutation counts as, by its key. */
const counted: Record<string, AnalyticsEvent> = {
  "recipes start": "device_started",
  "instances stop": "device_stopped",
  "instances save": "device_saved",
  "recipes create": "recipe_created",
  "recipes share": "recipe_shared",
  "api-tokens create": "api_token_created",
};

/** Counts what people do. Returns how to stop. */
export const countUse = (): (() => void) =>
  queryClient.getMutationCache().subscribe((change) => {
    if (change.type !== "updated" || change.action.type !== "success") return;
    const event = counted[(change.mutation.options.mutationKey ?? []).join(" ")];
    if (event) track(event);
  });
