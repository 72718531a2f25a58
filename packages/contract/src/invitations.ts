import { z } from "zod";
import { sayBroken } from "./field-rules.ts";
import { ByUuid, Email, GivenUuid, messageOf, pageOf, Paging, Time, tooManyEmails, Uuid } from "./fields.ts";
import { limits } from "./limits.ts";
import { tag } from "./openapi-tags.ts";
import { LinkKey } from "./passwords.ts";
import { routes } from "./routes.ts";
import { BegunSession, BrowserToken } from "./users.ts";

/** Somebody who was invited, and has not joined yet. */
export const Invitation = z.object({
  uuid: Uuid,
  /** Equal to `uuid`; older clients read this name. */
  genyid: Uuid,
  email: z.string(),
  message: z.string(),
  created_at: Time,
  sent_at: Time,
  expires_at: Time,
});
export type Invitation = z.infer<typeof Invitation>;

/** The outcome for one address. */
export const InviteOutcome = z.object({
  email: z.string(),
  outcome: z.enum(["invited", "already_member"]),
  /** The invitation, if there is one. */
  uuid: Uuid.nullable(),
});
export type InviteOutcome = z.infer<typeof InviteOutcome>;

const Message = messageOf(limits.invitationMessageLength);
const Outcomes = z.object({ results: z.array(InviteOutcome) });
const ByToken = z.object({ token: LinkKey });

export const invitationsTag = tag("Your organization", "Invitations", "People who are to join.");

export const invitations = routes({
  invite: {
    method: "POST",
    path: "/v1/accounts/invites",
    summary: "Invite people to your organization by mail. Whoever was invited before gets a new link",
    access: "manager",
    audit: ["invitation.send"],
    body: z.object({
      emails: z
        .array(Email)
        .min(1, sayBroken({ says: "required" }))
        .max(limits.invitationEmails, tooManyEmails(limits.invitationEmails)),
      optionalMessage: Message.optional(),
      message: Message.optional().meta({ description: "Another name of `optionalMessage`" }),
    }),
    status: 201,
    reply: Outcomes,
    fails: ["ALREADY_MEMBERS", "TOO_MANY_REQUESTS"],
  },
  resend: {
    method: "POST",
    path: "/v1/accounts/invites/resend",
    summary: "Mail invitations again, each with a new link; the former links end",
    access: "manager",
    audit: ["invitation.send"],
    body: z.object({
      genyids: z
        .array(GivenUuid)
        .min(1, sayBroken({ says: "required" }))
        .max(limits.invitationEmails),
    }),
    reply: Outcomes,
    fails: ["INVITATION_NOT_FOUND", "ALREADY_MEMBERS", "TOO_MANY_REQUESTS"],
  },
  list: {
    method: "GET",
    path: "/v1/accounts/invites",
    summary: "People who were invited to your organization and have not joined yet, the latest first",
    access: "manager",
    query: Paging,
    reply: pageOf(Invitation),
    fails: ["PAGE_TOO_LARGE"],
  },
  cancel: {
    method: "DELETE",
    path: "/v1/accounts/invites/:uuid",
    summary: "Cancel an invitation; its link ends",
    access: "manager",
    audit: ["invitation.cancel"],
    params: ByUuid,
    status: 204,
    fails: ["INVITATION_NOT_FOUND"],
  },
  get: {
    method: "GET",
    path: "/v2/accounts/invites/:token",
    summary: "What a mailed invitation is for. An expired one names the organization and the inviter in its details",
    access: "public",
    ownPagesOnly: true,
    params: ByToken,
    reply: z.object({
      email: z.string(),
      organization: z.object({ name: z.string() }),
      inviter: z.object({ first_name: z.string(), last_name: z.string() }).nullable(),
      expired: z.boolean(),
      has_account: z.boolean().meta({ description: "Whether to join with the password of the account that is there" }),
    }),
    fails: ["LINK_EXPIRED"],
  },
  accept: {
    method: "POST",
    path: "/v2/accounts/invites/:token",
    summary:
      "Join by a mailed invitation: with a new password, with that of the account with the address, or without one, signed in to that account",
    access: "public",
    audit: ["user.create", "invitation.accept", "session.open"],
    ownPagesOnly: true,
    params: ByToken,
    headers: z.object({ authorization: z.string().optional() }),
    body: z.object({
      password: z.string().min(1).max(limits.passwordMaxLength).optional(),
      tnc_accepted: z.boolean().default(false).meta({ description: "Whether the terms and conditions are accepted" }),
      browser_token: BrowserToken,
    }),
    reply: BegunSession.partial({ browser_token: true }),
    fails: [
      "SIGN_IN_NOT_ALLOWED",
      "SIGN_IN_AGAIN",
      "LINK_EXPIRED",
      "NOT_AUTHENTICATED",
      "INVITATION_WRONG_ACCOUNT",
      "MEMBER_ELSEWHERE",
      "BAD_USERNAME_PASSWORD",
      "USER_NOT_ENABLED",
      "SECOND_FACTOR_REQUIRED",
      "SECOND_FACTOR_SETUP_REQUIRED",
      "PASSWORD_TOO_COMMON",
      "TOO_MANY_REQUESTS",
    ],
  },
});
