import { defineTopic } from "../../platform/topic.ts";
import type { Actor } from "../sessions/actor.ts";

/** Changes of a person, such as of their role, status, terms or name, go to themselves. A trigger notifies of them. */
export const userTopic = defineTopic({
  notification: "user_changed",
  subscriptions: ({ uuid }: Pick<Actor, "uuid">) => ({ "user-updates": [uuid] }),
  parse: (uuid) => uuid,
  emit: (uuid) => [{ channel: "user-updates", recipient: uuid, data: { uuid } }],
  // Pages also read their user again when they come back into view, and when something is refused.
  changedSince: async () => [],
});
