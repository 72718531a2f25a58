import type { LiveSessionChange } from "@terrarium/contract";
import { defineTopic } from "../../platform/topic.ts";
import type { Actor } from "../sessions/actor.ts";

/** What the triggers say of a session: whom a change is about, and who else takes part. */
export interface LiveSessionNotice extends Pick<LiveSessionChange, "uuid" | "instance_uuid"> {
  /** A participant, or the owner when the whole session begins or ends; null if the device is gone. */
  subject: string | null;
  what: "INSERT" | "UPDATE" | "DELETE";
  others: string[];
}

export const LIVE_SESSION_CHANGED = "live_session_changed";

export const liveSessionNoticeOf = (payload: string): LiveSessionNotice => JSON.parse(payload) as LiveSessionNotice;

/** Changes of a live session go to its owner and its participants, also to those who no longer are. Triggers notify of them. */
export const liveSessionTopic = defineTopic({
  notification: LIVE_SESSION_CHANGED,
  subscriptions: ({ uuid }: Pick<Actor, "uuid">) => ({ "live-sessions-updates": [uuid] }),
  parse: liveSessionNoticeOf,
  emit: ({ uuid, instance_uuid, subject, what, others }) => {
    const channel = "live-sessions-updates" as const;
    const data: LiveSessionChange = { uuid, instance_uuid };
    const news = { INSERT: { is_invited: true }, UPDATE: {}, DELETE: { is_gone: true } } as const;
    return [
      ...(subject === null ? [] : [{ channel, recipient: subject, data: { ...data, ...news[what] } }]),
      ...others.map((recipient) => ({ channel, recipient, data })),
    ];
  },
  // Pages read the sessions again when they reconnect.
  changedSince: async () => [],
});
