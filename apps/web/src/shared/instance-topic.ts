import type { InstanceChange } from "@terrarium/contract";
import { applyChange, instanceKeys } from "./instance-cache.ts";
import type { LiveTopic } from "./live-topic.ts";
import { groupTreeKey } from "./group-tree-key.ts";
import { newDevices } from "./new-devices.ts";
import { organizationKey } from "./organizations.queries.ts";
import { forgetSaves, announceSave } from "./save-news.ts";

/** Devices change in place where they are shown; one that no list shows waits for the next refresh. */
export const instanceTopic: LiveTopic<InstanceChange> = {
  apply(cache, change) {
    announceSave(change);
    if (applyChange(cache, change)) newDevices.forget(change.uuid);
    else newDevices.hear(change);
  },
  // How many devices run, of the organization and of its groups, and how many a list has.
  recount: [organizationKey, groupTreeKey, instanceKeys.counts],
  refetch: [instanceKeys.lists, instanceKeys.singles, organizationKey],
  forget() {
    newDevices.clear();
    forgetSaves();
  },
};
