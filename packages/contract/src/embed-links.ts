import { z } from "zod";
import { ByUuid, GivenUuid, Time, Uuid } from "./fields.ts";
import { IceServer } from "./instances.ts";
import { embedLinkHours } from "./limits.ts";
import { tag } from "./openapi-tags.ts";
import { routes } from "./routes.ts";

/** A link with which a page of others shows a device. */
export const EmbedLink = z.object({
  uuid: Uuid,
  can_control: z.boolean().meta({ description: "Whether the device can be touched there, or only seen" }),
  created_at: Time,
  expires_at: Time,
});
export type EmbedLink = z.infer<typeof EmbedLink>;

const ofDevice = ["INSTANCE_NOT_FOUND", "INSTANCE_ENDED", "INSTANCE_NOT_ALLOWED"] as const;

export const embedLinksTag = tag("Devices", "Embed links", "Links with which pages of other services show a device.");

/** Links with which pages of others show one device: for some hours, and no longer than whoever made them may use it. */
export const embedLinks = routes({
  create: {
    method: "POST",
    path: "/v1/instances/:uuid/embed-links",
    summary: "Make a link with which pages of other services show one of your devices",
    access: "user",
    audit: ["instance.embed"],
    params: ByUuid,
    body: z.object({
      can_control: z.boolean().default(false),
      hours: z.literal(embedLinkHours),
    }),
    status: 201,
    reply: EmbedLink.extend({
      url: z.string().meta({ description: "Shown this once: for an iframe, or the attribute of `<terrarium-device>`" }),
    }),
    fails: [...ofDevice, "TOO_MANY_EMBED_LINKS", "TOO_MANY_REQUESTS"],
  },
  list: {
    method: "GET",
    path: "/v1/instances/:uuid/embed-links",
    summary: "The links with which pages of other services show one of your devices now",
    access: "user",
    params: ByUuid,
    reply: z.array(EmbedLink),
    fails: [...ofDevice],
  },
  revoke: {
    method: "DELETE",
    path: "/v1/instances/:uuid/embed-links/:link",
    summary: "End such a link. What shows the device by it is disconnected",
    access: "user",
    audit: ["instance.stop_embedding"],
    params: ByUuid.extend({ link: GivenUuid }),
    status: 204,
    fails: [...ofDevice],
  },
  open: {
    method: "POST",
    path: "/v1/embed-links/open",
    summary:
      "What a link opens: a short-lived token for the display of its device. For our own pages, and those of origins that the device's organization lists",
    access: "public",
    ownPagesOnly: true,
    organizationPages: "embed",
    audit: { none: "it only opens a view of a device, as the link says" },
    body: z.object({ key: z.string().min(1).max(64) }),
    reply: z.object({
      webrtc_url: z.string(),
      access_token: z.string(),
      expires_at: Time,
      can_control: z.boolean(),
      ice_servers: z.array(IceServer).optional(),
    }),
    fails: ["EMBED_LINK_NOT_FOUND", "INSTANCE_NOT_RUNNING", "TOO_MANY_REQUESTS"],
  },
});
