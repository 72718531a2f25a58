import "../../en/captures.ts";
import "../../en/replay.ts";
import { keepPreviousData } from "@tanstack/react-query";
import type { Capture, Contract, replayLinkHours, Sent } from "@terrarium/contract";
import { mutation } from "../../components/mutation.ts";
import { saveAnswer } from "../../components/save-file.ts";
import { client } from "../../session/client.ts";
import { isGone } from "../is-gone.ts";
import { type Replay, replayOf } from "../replay/replay-of.ts";

type Call = { signal: AbortSignal };
const root = ["captures"] as const;

/** Of everything about captures. */
export const capturesKey = root;

/** A page of one's own captures. */
export const capturePage = (query: Sent<Contract["captures"]["list"]>["query"]) => ({
  queryKey: [...root, "page", query] as const,
  queryFn: ({ signal }: Call) => client.captures.list({ query }, { signal }),
  placeholderData: keepPreviousData,
});

/** The bytes of a capture. They come with the token of a session, which has no place in an address. */
export const captureFile = (uuid: string) => ({
  queryKey: ["capture-file", uuid] as const,
  queryFn: async ({ signal }: Call) => (await client.captures.download({ params: { uuid } }, { signal })).blob(),
  staleTime: Number.POSITIVE_INFINITY,
  // A recording may have hundreds of megabytes.
  gcTime: 0,
});

/** A saved replay, taken apart. */
export const captureReplay = (uuid: string) => ({
  ...captureFile(uuid),
  queryKey: ["capture-file", uuid, "replay"] as const,
  queryFn: async (call: Call) => wholeReplay(await captureFile(uuid).queryFn(call)),
  structuralSharing: false as const,
});

/** Of a replay it saves the picture alone: a video that is passed on must not carry the touches and the log unseen. */
export const saveCapture = mutation({
  mutationKey: [...root, "save"],
  mutationFn: async ({ uuid, kind }: Capture) =>
    saveAnswer(
      await client.captures.download({ params: { uuid } }),
      kind === "screenshot" ? "capture.png" : "capture.mp4",
      kind === "replay" ? async (file) => (await wholeReplay(file)).video : undefined,
    ),
  refuses: (t) => t("errors.saveCapture"),
});

async function wholeReplay(file: Blob): Promise<Replay> {
  const replay = await replayOf(file);
  if (!replay) throw new Error("no replay is in this file");
  return replay;
}

const linkKey = [...root, "link"] as const;

/** Until when a saved replay is shared by a link, if it is. */
export const replayLink = (uuid: string) => ({
  queryKey: [...linkKey, uuid] as const,
  queryFn: ({ signal }: Call) => client.replayLinks.get({ params: { uuid } }, { signal }),
});

interface Sharing {
  uuid: string;
  hours: (typeof replayLinkHours)[number];
}

export const shareReplay = mutation({
  mutationKey: [...linkKey, "share"],
  mutationFn: async ({ uuid, hours }: Sharing) => ({
    uuid,
    ...(await client.replayLinks.create({ params: { uuid }, body: { hours } })),
  }),
  invalidates: () => [linkKey],
  refuses: (t) => t("replay.share.notMade"),
});

export const unshareReplay = mutation({
  mutationKey: [...linkKey, "unshare"],
  mutationFn: (uuid: string) => client.replayLinks.revoke({ params: { uuid } }),
  invalidates: () => [linkKey],
  announces: (t) => t("replay.share.ended"),
  refuses: (t) => t("replay.share.notEnded"),
});

/** One that is gone already was what was wanted. */
export const deleteCapture = mutation({
  mutationKey: [...root, "delete"],
  mutationFn: ({ uuid }: Capture) => client.captures.delete({ params: { uuid } }),
  invalidates: () => [root],
  announces: (t) => t("captures.delete.done"),
  refuses: (t, error) => (isGone(error) ? undefined : t("errors.deleteCapture")),
});
