import type { ErrorCode } from "@terrarium/contract";

const known = [
  "SSO_PROVIDER_NOT_FOUND",
  "SSO_PROVIDER_UNAVAILABLE",
  "SSO_STATE_INVALID",
  "SSO_CANCELLED",
  "SSO_FAILED",
  "SSO_EMAIL_NOT_VERIFIED",
  "SSO_ACCOUNT_EXISTS",
  "DISPOSABLE_EMAIL",
  "IDENTITY_IN_USE",
  "USER_NOT_ENABLED",
  "SIGN_IN_NOT_ALLOWED",
  "TOO_MANY_REQUESTS",
  "LINK_EXPIRED",
  "MEMBER_ELSEWHERE",
] as const;

/** The key of what is said when a provider could not be used; undefined for a reason that says nothing to people. */
export const knownSsoRefusalKey = (code: string | undefined) => {
  const refusal = known.find((each) => each === code);
  return refusal && (`sso.errors.${refusal}` as const);
};

/** The key of what is said when somebody could not sign in with a provider, or link it. */
export const ssoRefusalKey = (code: ErrorCode | undefined, { isLink = false } = {}) =>
  knownSsoRefusalKey(code) ?? (isLink ? "sso.linked.notLinked" : "sso.errors.other");
