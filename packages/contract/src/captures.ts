import { z } from "zod";
import { ByUuid, Flag, GivenUuid, listOf, orderingOf, pageOf, Paging, Search, Time, Uuid } from "./fields.ts";
import { tag } from "./openapi-tags.ts";
import { routes } from "./routes.ts";
import { Person } from "./users.ts";

/** How a capture was made: of one moment, from a press to another, or afterwards of what had just happened. */
export const captureKinds = ["screenshot", "recording", "replay"] as const;
export type CaptureKind = (typeof captureKinds)[number];

export const captureTypes = ["image/png", "video/mp4"] as const;

export const Capture = z.object({
  uuid: Uuid,
  kind: z.enum(captureKinds),
  owner: Person.meta({ description: "Who made it, and alone can open it" }),
  instance_uuid: Uuid.meta({ description: "Of the device, which may be gone" }),
  instance_name: z.string(),
  media_type: z.enum(captureTypes),
  bytes: z.int(),
  duration_ms: z.int().nullable().meta({ description: "Null for a picture" }),
  width: z.int().meta({ description: "Pixels, when it began" }),
  height: z.int(),
  created_at: Time,
});
export type Capture = z.infer<typeof Capture>;

export const capturesTag = tag("Devices", "Captures", "Screenshots, recordings and replays of devices.");

export const captures = routes({
  list: {
    method: "GET",
    path: "/v1/captures",
    summary:
      "The screenshots and recordings that you have made, or for managers those of their organization, page by page. They are kept until they are deleted",
    access: "member",
    query: Paging.extend({
      organization_wide: Flag.optional().meta({ description: "For managers: those of all people of the organization" }),
      instance: GivenUuid.optional().meta({ description: "Of this device" }),
      kind: listOf(z.enum(captureKinds)),
      search: Search.optional().meta({ description: "Found in the name of the device" }),
      ordering: orderingOf(["created_at", "bytes", "instance_name"], "-created_at"),
    }),
    reply: pageOf(Capture).extend({
      used_bytes: z.int().meta({ description: "By everybody in your organization" }),
      max_bytes: z.int().meta({ description: "That your organization may keep" }),
      own_bytes: z.int().meta({ description: "By you" }),
      own_max_bytes: z.int().meta({ description: "That you may keep: half of it, unless you are alone" }),
    }),
    fails: ["PAGE_TOO_LARGE"],
  },
  get: {
    method: "GET",
    path: "/v1/captures/:uuid",
    summary: "One of your captures",
    access: "member",
    params: ByUuid,
    reply: Capture,
    fails: ["CAPTURE_NOT_FOUND"],
  },
  download: {
    method: "GET",
    path: "/v1/captures/:uuid/file",
    summary: "The picture or the video of one of your captures",
    access: "member",
    params: ByUuid,
    reply: { kind: "bytes", types: captureTypes },
    fails: ["CAPTURE_NOT_FOUND"],
  },
  delete: {
    method: "DELETE",
    path: "/v1/captures/:uuid",
    summary: "Delete one of your captures, or as a manager one of your organization's, with its file",
    access: "member",
    audit: ["capture.delete"],
    params: ByUuid,
    status: 204,
    fails: ["CAPTURE_NOT_FOUND"],
  },
});
