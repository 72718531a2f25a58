import { z } from "zod";
import { ByUuid, origins } from "./fields.ts";
import { limits, sessionHoursOptions, signInWays } from "./limits.ts";
import { tag } from "./openapi-tags.ts";
import { routes } from "./routes.ts";
import { Proof, proofFails } from "./proof.ts";

const howMembersSignIn = { description: "How members sign in; null for any way there is" };

const allowed_sign_ins = z
  .array(z.enum(signInWays))
  .min(1)
  .max(signInWays.length)
  .refine((ways) => new Set(ways).size === ways.length, { error: "Must not repeat" })
  .nullable()
  .meta(howMembersSignIn);

const allowed_origins = origins(limits.allowedOrigins).meta({
  description: "Origins of other services whose pages may sign members in with their password",
});

/** How the members of an organization sign in. */
export const SignInRules = z.object({
  allowed_sign_ins: z.array(z.enum(signInWays)).nullable().meta(howMembersSignIn),
  session_hours: z.int().meta({ description: "After which members sign in again" }),
  allowed_origins: z.array(z.string()),
  own_provider: z
    .string()
    .nullable()
    .meta({ description: "The domain of the organization's own provider, if it has one" }),
});
export type SignInRules = z.infer<typeof SignInRules>;

export const signInRulesTag = tag("Your organization", "Sign-in rules", "How members may sign in.");

export const signInRules = routes({
  get: {
    method: "GET",
    path: "/v1/organizations/:uuid/sign-in-rules",
    summary: "How the members of your organization sign in",
    access: "manager",
    scope: "admin",
    ownPagesOnly: true,
    params: ByUuid,
    reply: SignInRules,
    fails: ["ORGANIZATION_NOT_FOUND"],
  },
  set: {
    method: "PUT",
    path: "/v1/organizations/:uuid/sign-in-rules",
    summary:
      "Change how the members of your organization sign in. Sessions that are longer than the new length end. What is missing stays as it is",
    access: "manager",
    audit: ["organization.set_sign_in_rules"],
    ownPagesOnly: true,
    params: ByUuid,
    body: Proof.extend({
      allowed_sign_ins: allowed_sign_ins.optional(),
      session_hours: z
        .union(
          sessionHoursOptions.map((hours) => z.literal(hours)),
          { error: `Must be one of ${sessionHoursOptions.join(", ")}` },
        )
        .optional(),
      allowed_origins: allowed_origins.optional(),
    }),
    reply: SignInRules,
    fails: [...proofFails, "ORGANIZATION_NOT_FOUND", "SIGN_IN_NEEDED"],
  },
});
