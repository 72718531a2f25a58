import { z } from "zod";
import { OpenIdIssuer } from "./features/sso/openid-issuer.ts";
import { list } from "./settings-fields.ts";

/** Who may sign up. */
export const botCheckEnvironment = {
  TURNSTILE_SITE_KEY: z
    .string()
    .optional()
    .describe("checks people who sign up with Cloudflare Turnstile instead of with puzzles of our own"),
  TURNSTILE_SECRET_KEY: z.string().optional().describe("the secret key that belongs to it"),
  TURNSTILE_VERIFY_URL: z
    .url({ protocol: /^https?$/ })
    .default("https://challenges.cloudflare.com/turnstile/v0/siteverify")
    .describe("where the server has Turnstile's tokens checked, for those who reach Cloudflare by another way"),
  TERRARIUM_PUZZLE_COST: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(100)
    .describe("how hard the puzzles are that browsers solve when somebody signs up; 100 takes a laptop about a second"),
};

/** With whom people may sign in. */
export const ssoEnvironment = {
  GOOGLE_CLIENT_ID: z.string().optional().describe("the client at Google with which people may sign in"),
  GOOGLE_CLIENT_SECRET: z.string().optional().describe("its secret"),
  GITHUB_CLIENT_ID: z.string().optional().describe("the OAuth app at GitHub with which people may sign in"),
  GITHUB_CLIENT_SECRET: z.string().optional().describe("its secret"),
  OIDC_ISSUER: OpenIdIssuer.optional().describe(
    "an OpenID Connect provider (Okta, Entra, Keycloak) with which people may sign in, by its issuer",
  ),
  OIDC_CLIENT_ID: z.string().optional().describe("the client at that provider"),
  OIDC_CLIENT_SECRET: z.string().optional().describe("its secret"),
  OIDC_LABEL: z
    .string()
    .max(50)
    .default("company account")
    .describe("what the sign-in page calls that provider: `Continue with …`"),
  OIDC_EMAIL_DOMAINS: list.describe(
    "domains whose addresses that provider hands out, `example.com`; it may then also sign in to existing accounts",
  ),
};

/** How people who sign up are checked to be people. */
export function botCheckOf(env: z.infer<z.ZodObject<typeof botCheckEnvironment>>) {
  const { TURNSTILE_SITE_KEY: siteKey, TURNSTILE_SECRET_KEY: secretKey, TURNSTILE_VERIFY_URL: url } = env;
  return {
    puzzleCost: env.TERRARIUM_PUZZLE_COST,
    turnstile: siteKey && secretKey ? { siteKey, secretKey, url } : undefined,
  };
}

/** With whom people may sign in, besides a password. */
export function ssoOf(env: z.infer<z.ZodObject<typeof ssoEnvironment>>) {
  const clientOf = (id: string | undefined, secret: string | undefined) => (id && secret ? { id, secret } : undefined);
  const client = clientOf(env.OIDC_CLIENT_ID, env.OIDC_CLIENT_SECRET);
  return {
    google: clientOf(env.GOOGLE_CLIENT_ID, env.GOOGLE_CLIENT_SECRET),
    github: clientOf(env.GITHUB_CLIENT_ID, env.GITHUB_CLIENT_SECRET),
    company:
      env.OIDC_ISSUER && client
        ? { issuer: env.OIDC_ISSUER, client, label: env.OIDC_LABEL, domains: env.OIDC_EMAIL_DOMAINS }
        : undefined,
  };
}
