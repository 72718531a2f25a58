import type { ErrorCode } from "@terrarium/contract";

const known = [
  "SSO_PROVIDER_NOT_FOUND",
  "SSO_PROVIDER_UNAVAILABLE",
  "SSO_STATE_INVALID",
  "SSO_CANCELLED",
  "SSO_FAILED",
  "SSO_EMAIL_NOT_VERIFIED",
  "SSO_ACCOUNT_EXISTS",
  "IDENTITY_IN_USE",
  "USER_NOT_ENABLED",
  "TOO_MANY_REQUESTS",
  "LINK_EXPIRED",
] as const;

/** The key of what is said when a provider could not be used. */
export const ssoRefusalKey = (code: ErrorCode | undefined) =>
  `sso.errors.${known.find((each) => each === code) ?? "other"}` as const;
