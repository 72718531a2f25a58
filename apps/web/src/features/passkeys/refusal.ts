const ofProof = ["WRONG_PASSWORD", "SIGN_IN_AGAIN", "TOO_MANY_REQUESTS"] as const;

/** The key of what is said when somebody has not proved who they are; undefined for another refusal. */
export const proofRefusalKey = (code: string | undefined) => {
  const known = ofProof.find((each) => each === code);
  return known && (`passkeys.errors.${known}` as const);
};

const ofSignIn = [
  "PASSKEY_UNKNOWN",
  "PASSKEY_REFUSED",
  "USER_NOT_ENABLED",
  "TOO_MANY_REQUESTS",
  "SERVICE_UNAVAILABLE",
] as const;

/** The key of what is said when somebody could not sign in with a passkey. */
export const signInRefusalKey = (code: string | undefined) =>
  `passkeys.signIn.${ofSignIn.find((each) => each === code) ?? "other"}` as const;
