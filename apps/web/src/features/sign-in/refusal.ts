import type { ErrorCode } from "@terrarium/contract";

const known = [
  "BAD_USERNAME_PASSWORD",
  "USER_NOT_ENABLED",
  "SIGN_IN_NOT_ALLOWED",
  "ORIGIN_NOT_ALLOWED",
  "TOO_MANY_REQUESTS",
  "SERVICE_UNAVAILABLE",
] as const;

/** The key of what is said when signing in was refused. */
export const refusalKey = (code: ErrorCode | undefined) =>
  `signIn.errors.${known.find((each) => each === code) ?? "other"}` as const;
