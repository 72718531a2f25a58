import { listenAndCheck, type WatchDeps } from "../sessions/listen-and-check.ts";
import { findParticipants } from "./live-sessions.store.ts";
import { LIVE_SESSION_CHANGED, liveSessionNoticeOf } from "./live-sessions.topic.ts";

/** Somebody who has a device of somebody else open. */
export interface HeldParticipant {
  instance: string;
  user: string;
  canControl: boolean;
}

/** Holds what participants of live sessions have open. */
export interface ParticipantHolder {
  participants(): Iterable<HeldParticipant>;
  /** Closes what they have open of the device. */
  participantLeft(participant: HeldParticipant): void;
  /** From now on they may touch the device, or only watch. */
  controlChanged(participant: HeldParticipant): void;
}

/**
 * Closes what somebody has open of a live session as soon as they no longer take part, and sees to who may touch the device; within 30 s
 * if the notification was lost. Resolves when it listens; `stopped` resolves when the signal has ended it.
 */
export function watchParticipants(deps: WatchDeps, holder: ParticipantHolder): Promise<{ stopped: Promise<unknown> }> {
  const check = async (of: (instance: string) => boolean = () => true) => {
    const held = [...holder.participants()].filter(({ instance }) => of(instance));
    if (held.length === 0) return;
    const rows = await findParticipants(deps.db, [...new Set(held.map(({ instance }) => instance))]);
    for (const each of held) {
      const row = rows.find(
        ({ instance_uuid, user_uuid }) => instance_uuid === each.instance && user_uuid === each.user,
      );
      if (!row) holder.participantLeft(each);
      else if (row.can_control !== each.canControl) holder.controlChanged({ ...each, canControl: row.can_control });
    }
  };
  const onChange = (payload: string) => {
    const { instance_uuid: changed } = liveSessionNoticeOf(payload);
    check((instance) => instance === changed).catch((error: unknown) =>
      deps.log.warn({ err: error }, "participants could not be checked; they are again within 30 s"),
    );
  };
  return listenAndCheck(deps, LIVE_SESSION_CHANGED, onChange, () => check());
}
