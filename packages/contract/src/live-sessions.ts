import { z } from "zod";
import {
  ByUuid,
  Email,
  GivenUuid,
  messageOf,
  orderingOf,
  pageOf,
  Paging,
  Search,
  Time,
  tooManyEmails,
  Uuid,
} from "./fields.ts";
import { limits } from "./limits.ts";
import { tag } from "./openapi-tags.ts";
import { routes } from "./routes.ts";

/** Somebody as clients of live sessions know them: by the uuid of their account, under another name. */
const LivePerson = z.object({
  genyid: Uuid.meta({ description: "The uuid of the person" }),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
});

/** Somebody whom the owner has invited. They take part from then on, and join when they like. */
export const Participant = LivePerson.extend({
  /** By which they are changed and removed. */
  uuid: Uuid,
  /** Whether they may touch the device, or only watch. */
  can_control: z.boolean(),
  created_at: Time,
});
export type Participant = z.infer<typeof Participant>;

/** A device that its owner shares while it runs. It ends with the device. */
export const LiveSession = z.object({
  uuid: Uuid,
  created_at: Time,
  owner: LivePerson,
  /** Without the owner. Names only of people of the reader's organization. */
  participants: z.array(Participant),
  instance: z.object({ uuid: Uuid, name: z.string() }),
});
export type LiveSession = z.infer<typeof LiveSession>;

/** A uuid, or an e-mail address. */
const Invited = z.union([GivenUuid, Email], { error: "Use a uuid or a valid email address" });
const Invitations = z
  .array(Invited)
  .max(limits.liveSessionInvitations, tooManyEmails(limits.liveSessionInvitations))
  .meta({ description: "Uuids or e-mail addresses of people of your organization, or of guests" });
const Message = messageOf(limits.liveSessionMessageLength).default("").meta({ description: "Goes with their mail" });

export const liveSessionsTag = tag("Devices", "Live sessions", "Devices that several people look at together.");

export const liveSessions = routes({
  list: {
    method: "GET",
    path: "/v1/livesessions",
    summary: "The live sessions of your devices, and those that you take part in",
    access: "user",
    query: Paging.extend({
      /** That of one device. */
      instance: GivenUuid.optional(),
      search: Search.optional(),
      ordering: orderingOf(["created_at", "name", "owner", "participants"], "-created_at"),
    }),
    reply: pageOf(LiveSession),
    fails: ["PAGE_TOO_LARGE"],
  },
  get: {
    method: "GET",
    path: "/v1/livesessions/:uuid",
    summary: "One live session, for its owner and its participants",
    access: "user",
    params: ByUuid,
    reply: LiveSession,
    fails: ["LIVE_SESSION_NOT_FOUND", "LIVE_SESSION_NOT_ALLOWED"],
  },
  create: {
    method: "POST",
    path: "/v1/livesessions",
    summary: "Share a device of yours while it runs; with more people, if it is shared already",
    access: "user",
    audit: ["instance.share"],
    body: z.object({ instance: GivenUuid, invitations: Invitations.default([]), message: Message }),
    status: 201,
    reply: LiveSession,
    fails: [
      "INSTANCE_NOT_FOUND",
      "INSTANCE_ENDED",
      "INSTANCE_NOT_ALLOWED",
      "INSTANCE_NOT_RUNNING",
      "RECIPIENTS_NOT_FOUND",
      "LIVE_SESSION_FULL",
      "TOO_MANY_REQUESTS",
    ],
  },
  delete: {
    method: "DELETE",
    path: "/v1/livesessions/:uuid",
    summary: "End a live session; its participants are disconnected at once",
    access: "user",
    audit: ["instance.unshare"],
    params: ByUuid,
    status: 204,
    fails: ["LIVE_SESSION_NOT_FOUND", "LIVE_SESSION_NOT_ALLOWED", "LIVE_SESSION_NOT_OWNED"],
  },
  invite: {
    method: "POST",
    path: "/v1/livesessions/participants",
    summary: "Invite more people to a live session of yours",
    access: "user",
    audit: ["instance.share"],
    body: z.object({ livesession: GivenUuid, invitations: Invitations.min(1, "Required"), message: Message }),
    status: 201,
    reply: LiveSession,
    fails: [
      "LIVE_SESSION_NOT_FOUND",
      "LIVE_SESSION_NOT_ALLOWED",
      "LIVE_SESSION_NOT_OWNED",
      "RECIPIENTS_NOT_FOUND",
      "LIVE_SESSION_FULL",
      "TOO_MANY_REQUESTS",
    ],
  },
  setControl: {
    method: "PATCH",
    path: "/v1/livesessions/participants/:uuid",
    summary: "Let a participant touch the device, or only watch it",
    access: "user",
    audit: ["instance.set_control"],
    params: ByUuid,
    body: z.object({ can_control: z.boolean() }),
    reply: LiveSession,
    fails: ["PARTICIPANT_NOT_FOUND", "LIVE_SESSION_NOT_OWNED"],
  },
  remove: {
    method: "DELETE",
    path: "/v1/livesessions/participants/:uuid",
    summary: "Remove a participant, or leave as one; they are disconnected at once",
    access: "user",
    audit: ["instance.unshare"],
    params: ByUuid,
    status: 204,
    fails: ["PARTICIPANT_NOT_FOUND", "LIVE_SESSION_NOT_OWNED"],
  },
});
