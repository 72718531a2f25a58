import type { UserChange } from "@terrarium/contract";
import { refreshUser } from "../session/client.ts";
import { instanceTopic } from "../shared/instance-topic.ts";
import type { LiveTopic } from "../shared/live-topic.ts";

/** Something about whoever is signed in is different; the guards act on it once it is known what. */
export const userTopic: LiveTopic<UserChange> = {
  apply: () => void refreshUser(),
  // Whose devices one sees depends on the role.
  recount: [...instanceTopic.recount, ...instanceTopic.refetch],
  refetch: [],
  forget: () => undefined,
};
