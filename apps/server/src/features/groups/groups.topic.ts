import { defineTopic } from "../../platform/topic.ts";
import type { Actor } from "../sessions/actor.ts";

/** Changes of groups, and of who is in them, go to the managers of the organization. Triggers notify of them. */
export const groupsTopic = defineTopic({
  notification: "groups_changed",
  subscriptions: ({ organization, isManager }: Pick<Actor, "organization" | "isManager">) =>
    isManager && organization !== null ? { "groups-updates": [organization] } : {},
  parse: (organization) => organization,
  emit: (organization) => [{ channel: "groups-updates", recipient: organization, data: { uuid: organization } }],
  // Pages read the groups again when they reconnect.
  changedSince: async () => [],
});
