import type { SignInSession } from "@terrarium/contract";
import { mutation } from "../../components/mutation.ts";
import { client } from "../../session/client.ts";
import { deviceName } from "./device-name.ts";
import { isGone } from "../../shared/is-gone.ts";

/** Where whoever is signed in is signed in, the place used last first. */
export const ownSessions = {
  queryKey: ["sessions"] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }) => (await client.sessions.list({}, { signal })).sessions,
};

/** Signs out in one place. One that is gone already was what was wanted. */
export const endSession = mutation({
  mutationKey: ["sessions", "end"],
  mutationFn: ({ uuid }: SignInSession) => client.sessions.end({ params: { uuid } }),
  invalidates: () => [ownSessions.queryKey],
  announces: (t, _, session) => t("sessions.done", { device: deviceName(t, session) }),
  refuses: (t, error, session) =>
    isGone(error) ? undefined : t("sessions.failed", { device: deviceName(t, session) }),
});

/** Signs out everywhere but here. */
export const endOtherSessions = mutation({
  mutationKey: ["sessions", "end-others"],
  mutationFn: () => client.sessions.endOthers(),
  invalidates: () => [ownSessions.queryKey],
  announces: (t) => t("sessions.others.done"),
  refuses: (t) => t("sessions.others.failed"),
});
