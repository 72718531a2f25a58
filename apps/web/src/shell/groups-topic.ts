import type { GroupsChange } from "@terrarium/contract";
import type { LiveTopic } from "../shared/live-topic.ts";

/** What shows groups: the tree, and the people with the names of theirs. */
const shown = [["groups"], ["users"]];

/** Groups of the organization, or who is in them, have changed. Only managers are notified. */
export const groupsTopic: LiveTopic<GroupsChange> = {
  apply: () => undefined,
  recount: shown,
  refetch: shown,
  forget: () => undefined,
};
