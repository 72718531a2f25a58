const ofSignIn = [
  "PASSKEY_UNKNOWN",
  "PASSKEY_REFUSED",
  "USER_NOT_ENABLED",
  "SIGN_IN_NOT_ALLOWED",
  "TOO_MANY_REQUESTS",
  "SERVICE_UNAVAILABLE",
] as const;

/** The key of what is said when somebody could not sign in with a passkey. */
export const signInRefusalKey = (code: string | undefined) =>
  `passkeys.signIn.${ofSignIn.find((each) => each === code) ?? "other"}` as const;
