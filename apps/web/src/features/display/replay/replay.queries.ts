import "../../../en/replay.ts";
import type { Capture, replayLinkHours } from "@terrarium/contract";
import { mutation } from "../../../components/mutation.ts";
import { client } from "../../../session/client.ts";
import { sayTrouble } from "../tools/ToolNotice.tsx";

/** Keeps a replay by what its connection offers for that. */
export const saveReplay = mutation({
  mutationKey: ["replays", "save"],
  mutationFn: async (save: () => Promise<{ capture: Capture }>) => (await save()).capture,
  says: (t) => t("replay.saved"),
  refuses: (t, error) => sayTrouble(t, error),
});

interface Sharing {
  uuid: string;
  hours: (typeof replayLinkHours)[number];
}

export const shareReplay = mutation({
  mutationKey: ["replays", "share"],
  mutationFn: async ({ uuid, hours }: Sharing) => ({
    uuid,
    ...(await client.replayLinks.create({ params: { uuid }, body: { hours } })),
  }),
  refuses: (t) => t("replay.share.notMade"),
});

export const unshareReplay = mutation({
  mutationKey: ["replays", "unshare"],
  mutationFn: (uuid: string) => client.replayLinks.revoke({ params: { uuid } }),
  refuses: (t) => t("replay.share.notEnded"),
});
