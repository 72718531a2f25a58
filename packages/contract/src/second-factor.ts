import { z } from "zod";
import { ByUuid, Time } from "./fields.ts";
import { limits } from "./limits.ts";
import { tag } from "./openapi-tags.ts";
import { Proof, proofFails } from "./proof.ts";
import { routes } from "./routes.ts";
import { BegunSession, BrowserToken } from "./users.ts";

/** The second factors of somebody. */
export const SecondFactors = z.object({
  totp: z
    .object({ created_at: Time, last_used_at: Time.nullable() })
    .nullable()
    .meta({ description: "The authenticator app; null if none is set up" }),
  has_passkey: z
    .boolean()
    .meta({ description: "Whether there is a passkey for this address, which confirms sign-ins too" }),
  recovery_codes: z.int().meta({ description: "How many are left" }),
  is_required: z
    .boolean()
    .meta({ description: "Whether they need a second factor, as their organization requires one, or as operators" }),
});
export type SecondFactors = z.infer<typeof SecondFactors>;

/** An authenticator app that is being set up. */
export const TotpSetup = z.object({
  secret: z.string().meta({ description: "In base 32, for typing it" }),
  url: z.string().meta({ description: "For a QR code: `otpauth://totp/…`" }),
  setup_ticket: z.string().meta({ description: "Finishes it, together with a code of the app, within ten minutes" }),
});
export type TotpSetup = z.infer<typeof TotpSetup>;

export const RecoveryCodes = z.object({
  recovery_codes: z.array(z.string()).meta({ description: "Each works once. They are shown only now" }),
});

export const Ticket = z.string().max(limits.ticketLength);
const Code = z.string().max(limits.confirmationCodeLength);

export const secondFactorTag = tag(
  "Your account",
  "Second factor",
  "Codes of an authenticator app, and recovery codes.",
);

export const secondFactor = routes({
  get: {
    method: "GET",
    path: "/v1/users/:uuid/second-factor",
    summary: "Your second factors",
    access: "signed-in",
    scope: "admin",
    params: ByUuid,
    reply: SecondFactors,
    fails: ["FORBIDDEN", "USER_NOT_FOUND"],
  },
  beginTotp: {
    method: "POST",
    path: "/v1/users/:uuid/second-factor/totp/begin",
    summary: "Begin to set up an authenticator app: its secret. Nothing changes until a code of it was sent",
    access: "signed-in",
    audit: { none: "a key is made, and nothing stored before it is confirmed" },
    ownPagesOnly: true,
    params: ByUuid,
    body: Proof,
    reply: TotpSetup,
    fails: [...proofFails, "USER_NOT_FOUND", "SECOND_FACTOR_EXISTS"],
  },
  addTotp: {
    method: "POST",
    path: "/v1/users/:uuid/second-factor/totp",
    summary:
      "Finish to set up an authenticator app, with a code of it. The first second factor comes with recovery codes",
    access: "signed-in",
    audit: ["second_factor.add"],
    ownPagesOnly: true,
    params: ByUuid,
    body: z.object({ setup_ticket: Ticket, code: Code }),
    reply: RecoveryCodes,
    status: 201,
    fails: ["FORBIDDEN", "USER_NOT_FOUND", "SECOND_FACTOR_EXPIRED", "SECOND_FACTOR_WRONG", "SECOND_FACTOR_EXISTS"],
  },
  removeTotp: {
    method: "DELETE",
    path: "/v1/users/:uuid/second-factor/totp",
    summary: "Remove your authenticator app; with the last second factor the recovery codes go",
    access: "signed-in",
    audit: ["second_factor.remove"],
    ownPagesOnly: true,
    params: ByUuid,
    body: Proof,
    status: 204,
    fails: [...proofFails, "USER_NOT_FOUND", "SECOND_FACTOR_MISSING", "LAST_SECOND_FACTOR"],
  },
  renewCodes: {
    method: "POST",
    path: "/v1/users/:uuid/second-factor/recovery-codes",
    summary: "New recovery codes; the former ones no longer work",
    access: "signed-in",
    audit: ["second_factor.renew_codes"],
    ownPagesOnly: true,
    params: ByUuid,
    body: Proof,
    reply: RecoveryCodes,
    status: 201,
    fails: [...proofFails, "USER_NOT_FOUND", "SECOND_FACTOR_MISSING"],
  },
  confirm: {
    method: "POST",
    path: "/v1/users/login/second-factor",
    summary:
      "Confirm a sign-in that was answered with SECOND_FACTOR_REQUIRED, within ten minutes. Each code works once",
    access: "public",
    audit: ["second_factor.use", "session.open"],
    ownPagesOnly: true,
    organizationPages: "sign-in",
    body: z.object({
      ticket: Ticket,
      method: z.enum(["totp", "recovery"]),
      code: Code,
      browser_token: BrowserToken,
    }),
    reply: BegunSession,
    fails: ["SIGN_IN_NOT_ALLOWED", "SECOND_FACTOR_EXPIRED", "SECOND_FACTOR_WRONG", "TOO_MANY_REQUESTS"],
  },
  beginRequiredTotp: {
    method: "POST",
    path: "/v1/users/login/second-factor/totp/begin",
    summary: "Begin to set up an authenticator app after a sign-in that was answered with SECOND_FACTOR_SETUP_REQUIRED",
    access: "public",
    audit: { none: "a key is made, and nothing stored before it is confirmed" },
    ownPagesOnly: true,
    body: z.object({ ticket: Ticket }),
    reply: TotpSetup,
    fails: ["SECOND_FACTOR_EXPIRED"],
  },
  addRequiredTotp: {
    method: "POST",
    path: "/v1/users/login/second-factor/totp",
    summary: "Finish to set it up, with a code of the app, which begins the session",
    access: "public",
    audit: ["second_factor.add", "session.open"],
    ownPagesOnly: true,
    body: z.object({ setup_ticket: Ticket, code: Code, browser_token: BrowserToken }),
    reply: BegunSession.extend(RecoveryCodes.shape),
    fails: [
      "SIGN_IN_NOT_ALLOWED",
      "SECOND_FACTOR_EXPIRED",
      "SECOND_FACTOR_WRONG",
      "SECOND_FACTOR_EXISTS",
      "TOO_MANY_REQUESTS",
    ],
  },
});
