import { z } from "zod";
import { limits } from "./limits.ts";

/**
 * Proves again who a signed-in person is, before something that a stranger at their browser must not do. Whether the password obeys the
 * rules does not matter.
 */
export const Proof = z.object({
  password: z.string().max(limits.passwordMaxLength).optional().meta({
    description: "Missing only if the account has none: then the sign-in must not be older than ten minutes",
  }),
});

/** How it is refused. */
export const proofFails = ["FORBIDDEN", "WRONG_PASSWORD", "SIGN_IN_AGAIN", "TOO_MANY_REQUESTS"] as const;
