import "../en/live-sessions.ts";
import type { LiveSessionChange } from "@terrarium/contract";
import { t } from "i18next";
import { nameOf } from "../components/PersonMark.tsx";
import { snack } from "../components/snack-queue.ts";
import { client, session as signedIn } from "../session/client.ts";
import { instanceKeys } from "../shared/instance-cache.ts";
import { liveSessionAddress, liveSessionKey } from "../shared/live-sessions.ts";
import type { LiveTopic } from "../shared/live-topic.ts";

/** Who takes part in a live session is read again; whoever was invited is notified, wherever they are. */
export const liveSessionTopic: LiveTopic<LiveSessionChange> = {
  apply(cache, { uuid, instance_uuid: instance, is_invited, is_gone }) {
    void cache.invalidateQueries({ queryKey: [...liveSessionKey, "one", uuid] });
    if (is_gone) void cache.invalidateQueries({ queryKey: instanceKeys.one(instance) });
    if (is_invited) void announce(uuid);
  },
  recount: [liveSessionKey],
  refetch: [liveSessionKey],
  forget: () => undefined,
};

/** One's own session begins with this too; whoever began it need not be notified. */
async function announce(uuid: string): Promise<void> {
  const session = await client.liveSessions.get({ params: { uuid } }).catch(() => undefined);
  if (!session || location.pathname === liveSessionAddress(uuid)) return;
  const { owner, instance } = session;
  if (session.participants.every(({ genyid }) => genyid !== signedIn.current?.user.uuid)) return;
  snack("info", t("liveSessions.invited", { owner: nameOf(owner), name: instance.name }), {
    label: t("liveSessions.join"),
    to: liveSessionAddress(uuid),
  });
}
