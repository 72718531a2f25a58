import { z } from "zod";
import { ByUuid, Time } from "./fields.ts";
import { replayLinkHours } from "./limits.ts";
import { tag } from "./openapi-tags.ts";
import { routes } from "./routes.ts";

export const replayLinksTag = tag("Devices", "Replay links", "Links with which anybody can see a replay.");

/** The link by which anybody sees a saved replay. A replay has one at a time. */
export const replayLinks = routes({
  create: {
    method: "POST",
    path: "/v1/captures/:uuid/link",
    summary: "Share one of your replays by a link that expires. A link that it had before no longer works",
    access: "member",
    audit: ["capture.share"],
    params: ByUuid,
    body: z.object({ hours: z.literal(replayLinkHours) }),
    status: 201,
    reply: z.object({
      key: z.string().meta({ description: "Shown this once. Whoever has it sees the replay: `/replay/{key}`" }),
      expires_at: Time,
    }),
    fails: ["CAPTURE_NOT_FOUND", "TOO_MANY_REQUESTS"],
  },
  get: {
    method: "GET",
    path: "/v1/captures/:uuid/link",
    summary: "Until when one of your replays is shared by a link",
    access: "member",
    params: ByUuid,
    reply: z.object({ expires_at: Time.nullable().meta({ description: "Null if it is not" }) }),
    fails: ["CAPTURE_NOT_FOUND"],
  },
  revoke: {
    method: "DELETE",
    path: "/v1/captures/:uuid/link",
    summary: "End the link to one of your replays",
    access: "member",
    audit: ["capture.unshare"],
    params: ByUuid,
    status: 204,
    fails: ["CAPTURE_NOT_FOUND"],
  },
  open: {
    method: "GET",
    path: "/v1/replays/:key",
    summary: "The replay that a link leads to, and nothing else of its organization",
    access: "public",
    ownPagesOnly: true,
    params: z.object({ key: z.string().min(1).max(64) }),
    reply: { kind: "bytes", types: ["video/mp4"] },
    fails: ["REPLAY_LINK_NOT_FOUND", "TOO_MANY_REQUESTS"],
  },
});
