import "../../en/live-sessions.ts";
import { AppError, type LiveSession, type liveSessions, type Participant, type Sent } from "@terrarium/contract";
import { keepPreviousData } from "@tanstack/react-query";
import { mutation } from "../../components/mutation.ts";
import { nameOf } from "../../components/PersonMark.tsx";
import { client } from "../../session/client.ts";
import { isGone } from "../../shared/is-gone.ts";
import { liveSessionKey } from "../../shared/live-sessions.ts";

/** A page of live sessions. What was there stays in sight while another page is on its way. */
export const liveSessionPage = (query: Sent<typeof liveSessions.list>["query"]) => ({
  queryKey: [...liveSessionKey, "page", query] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => client.liveSessions.list({ query }, { signal }),
  placeholderData: keepPreviousData,
});

/** A refusal is final; else it is asked for now and then, as an event may be lost. */
const ASK_AGAIN_MS = 15_000;
const untilRefused = ({ state: { error } }: { state: { error: Error | null } }) =>
  error instanceof AppError && error.status < 500 ? false : ASK_AGAIN_MS;

/** One live session. */
export const liveSessionOf = (uuid: string) => ({
  queryKey: [...liveSessionKey, "one", uuid] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => client.liveSessions.get({ params: { uuid } }, { signal }),
  refetchInterval: untilRefused,
});

/** The live session of a device; null if there is none that this person may see. */
export const sessionOfDevice = (instance: string) => ({
  queryKey: [...liveSessionKey, "of", instance] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<LiveSession | null> =>
    (await client.liveSessions.list({ query: { instance } }, { signal })).results[0] ?? null,
});

const invalidates = () => [liveSessionKey];

interface InviteAsk {
  device: { uuid: string; name: string };
  emails: readonly string[];
  message: string;
}

/** Shares a device, or invites more people to its session. The form says what was refused. */
export const inviteToSession = mutation({
  mutationKey: [...liveSessionKey, "invite"],
  mutationFn: ({ device, emails, message }: InviteAsk) =>
    client.liveSessions.create({ body: { instance: device.uuid, invitations: [...emails], message } }),
  invalidates,
  says: (t, _, { device: { name }, emails }) =>
    t("liveSessions.share.invited", { count: emails.length, email: emails[0] ?? "", name }),
});

/** Ends a session. One that has ended already is what was wanted. */
export const endSession = mutation({
  mutationKey: [...liveSessionKey, "end"],
  mutationFn: ({ uuid }: LiveSession) => unlessGone(client.liveSessions.delete({ params: { uuid } })),
  invalidates,
  says: (t, _, { instance }) => t("liveSessions.share.ended", instance),
  refuses: (t) => t("errors.endSession"),
});

/** Takes somebody out of a session. */
export const removeParticipant = mutation({
  mutationKey: [...liveSessionKey, "remove"],
  mutationFn: ({ uuid }: Participant) => unlessGone(client.liveSessions.remove({ params: { uuid } })),
  invalidates,
  announces: (t, _, participant) => t("liveSessions.share.removed", { name: nameOf(participant) }),
  refuses: (t, _, participant) => t("errors.removeParticipant", { name: nameOf(participant) }),
});

/** Leaves the session of somebody else. */
export const leaveSession = mutation({
  mutationKey: [...liveSessionKey, "leave"],
  mutationFn: ({ participant: { uuid } }: { participant: Participant; session: LiveSession }) =>
    unlessGone(client.liveSessions.remove({ params: { uuid } })),
  invalidates,
  says: (t, _, { session }) => t("liveSessions.page.left", session.instance),
  refuses: (t) => t("errors.leaveSession"),
});

/** Lets somebody touch the device, or only watch it. */
export const setControl = mutation({
  mutationKey: [...liveSessionKey, "control"],
  mutationFn: ({ participant: { uuid }, canControl }: { participant: Participant; canControl: boolean }) =>
    client.liveSessions.setControl({ params: { uuid }, body: { can_control: canControl } }),
  invalidates,
  announces: (t, _, { participant, canControl }) =>
    t(canControl ? "liveSessions.share.mayNowTouch" : "liveSessions.share.mayNowWatch", {
      person: nameOf(participant),
    }),
  refuses: (t, _, { participant }) => t("errors.setControl", { name: nameOf(participant) }),
});

const unlessGone = (done: Promise<void>): Promise<void> =>
  done.catch((error: unknown) => {
    if (!isGone(error)) throw error;
  });
