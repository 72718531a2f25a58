import { z } from "zod";
import { ByUuid, Email, GivenUuid, messageOf, Time, tooManyEmails, Uuid } from "./fields.ts";
import { limits } from "./limits.ts";
import { tag } from "./openapi-tags.ts";
import { routes } from "./routes.ts";
import { OrganizationRef, Person } from "./users.ts";

const Message = messageOf(limits.shareMessageLength);

/** A uuid, or an e-mail address. */
const Recipient = z.union([GivenUuid, Email], { error: "Use a uuid or a valid email address" });
const Users = z.array(Recipient).max(limits.shareRecipients, tooManyEmails(limits.shareRecipients));
const Organizations = z.array(GivenUuid).max(limits.shareOrganizations);

export const ShareBody = z.object({
  recipients: z
    .object({ users: Users.default([]) })
    .default({ users: [] })
    .meta({ description: "Uuids or e-mail addresses of people of your organization, or of guests" }),
  organizations: Organizations.default([]).meta({ description: "Organizations whose members may all use the recipe" }),
  message: Message.default(""),
});
export type ShareBody = z.output<typeof ShareBody>;

/** What is missing stays as it is. */
export const ShareChange = z.object({
  recipients: z.object({ users: Users.optional() }).optional(),
  organizations: Organizations.optional(),
  message: Message.optional(),
});
export type ShareChange = z.output<typeof ShareChange>;

/** Whom a recipe is shared with, for those who may share it. */
export const Share = z.object({
  uuid: Uuid,
  recipe_uuid: Uuid,
  recipients: z.object({ users: z.array(Person).meta({ description: "Names only of people of your organization" }) }),
  organizations: z.array(OrganizationRef),
  message: z.string(),
  /** Who shared it first; null if their account is gone. */
  shared_by: Person.nullable(),
  created_at: Time,
  updated_at: Time,
});
export type Share = z.infer<typeof Share>;

export const sharesTag = tag("Devices", "Shares", "With whom a recipe is shared.");

export const shares = routes({
  get: {
    method: "GET",
    path: "/v1/shares/:uuid",
    summary: "Whom a recipe is shared with",
    access: "member",
    params: ByUuid,
    reply: Share,
    fails: ["SHARE_NOT_FOUND", "RECIPE_SHARE_NOT_ALLOWED"],
  },
  update: {
    method: "PUT",
    path: "/v1/shares/:uuid",
    summary: "Change with whom a recipe is shared; what is left out stays, and with nobody left the share ends",
    access: "member",
    audit: ["recipe.share", "recipe.unshare", "recipe.edit_share"],
    params: ByUuid,
    body: ShareChange,
    reply: Share,
    fails: [
      "SHARE_NOT_FOUND",
      "RECIPE_SHARE_NOT_ALLOWED",
      "RECIPIENTS_NOT_FOUND",
      "ORGANIZATION_NOT_FOUND",
      "TOO_MANY_REQUESTS",
    ],
  },
  delete: {
    method: "DELETE",
    path: "/v1/shares/:uuid",
    summary: "End a share; devices that recipients have started run on",
    access: "member",
    audit: ["recipe.unshare"],
    params: ByUuid,
    status: 204,
    fails: ["SHARE_NOT_FOUND", "RECIPE_SHARE_NOT_ALLOWED"],
  },
});
