import { keepPreviousData } from "@tanstack/react-query";
import type { Capture, Contract, Sent } from "@terrarium/contract";
import { mutation } from "../../components/mutation.ts";
import { saveAnswer } from "../../components/save-file.ts";
import { client } from "../../session/client.ts";
import { isGone } from "../is-gone.ts";

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

export const saveCapture = mutation({
  mutationKey: [...root, "save"],
  mutationFn: async ({ uuid, kind }: Capture) =>
    saveAnswer(
      await client.captures.download({ params: { uuid } }),
      kind === "screenshot" ? "capture.png" : "capture.mp4",
    ),
  refuses: (t) => t("errors.saveCapture"),
});

/** One that is gone already was what was wanted. */
export const deleteCapture = mutation({
  mutationKey: [...root, "delete"],
  mutationFn: ({ uuid }: Capture) => client.captures.delete({ params: { uuid } }),
  invalidates: () => [root],
  announces: (t) => t("captures.delete.done"),
  refuses: (t, error) => (isGone(error) ? undefined : t("errors.deleteCapture")),
});
