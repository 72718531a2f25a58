import type { UserChange } from "@terrarium/contract";
import { refreshUser } from "../session/client.ts";
import type { LiveTopic } from "../shared/live-topic.ts";

/** Something about whoever is signed in is different; the guards act on it once it is known what. */
export const userTopic: LiveTopic<UserChange> = {
  apply: () => void refreshUser(),
  recount: [],
  refetch: [],
  forget: () => undefined,
};
