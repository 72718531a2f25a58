import { defineTopic } from "../../platform/topic.ts";
import type { Actor } from "../sessions/actor.ts";

/** Changes of an organization, such as of its settings, go to all its members. A trigger notifies of them. */
export const organizationTopic = defineTopic({
  notification: "organization_changed",
  subscriptions: ({ organization }: Pick<Actor, "organization">) =>
    organization === null ? {} : { "organization-updates": [organization] },
  parse: (uuid) => uuid,
  emit: (uuid) => [{ channel: "organization-updates", recipient: uuid, data: { uuid } }],
  // After a gap, pages read their organization again.
  changedSince: async () => [],
});
