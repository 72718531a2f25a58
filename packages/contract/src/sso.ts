import { z } from "zod";
import { ByUuid, Email, GivenUuid, Time, Uuid } from "./fields.ts";
import { limits } from "./limits.ts";
import { localPath } from "./local-path.ts";
import { tag } from "./openapi-tags.ts";
import { LinkKey } from "./passwords.ts";
import { Proof, proofFails } from "./proof.ts";
import { routes } from "./routes.ts";
import { BegunSession, BrowserToken } from "./users.ts";

/** An account at a provider with which somebody can sign in. */
export const Identity = z.object({
  uuid: Uuid,
  provider: z.string().meta({ description: "As in `login-url`" }),
  label: z.string(),
  email: z.string().meta({ description: "Its address there, which may differ from that of the account here" }),
  created_at: Time,
  last_used_at: Time,
});
export type Identity = z.infer<typeof Identity>;

const ProviderName = z.string().max(50);
const Path = z
  .string()
  .max(limits.routeLength)
  .transform((text, context) => {
    const path = localPath(text);
    if (path !== undefined) return path;
    context.addIssue("Must be a path of this service");
    return z.NEVER;
  });
const BrowserKey = z.string().min(32).max(limits.linkKeyLength);
const BROWSER_KEY =
  "A random value that the page keeps to itself and sends again with the callback, so that nobody else can finish what it began";

/** The query that a provider led back with, and what else finishes a sign-in. */
const LedBack = z.object({
  provider: ProviderName,
  state: z.string().max(limits.linkKeyLength),
  code: z.string().max(limits.routeLength).optional(),
  iss: z.string().max(limits.routeLength).optional(),
  error: z.string().max(limits.textLength).optional(),
  error_description: z.string().max(limits.routeLength).optional(),
  browser_key: BrowserKey.optional(),
});

const LoginUrl = z.object({
  provider: ProviderName,
  redirect_uri: z.url().max(limits.routeLength).optional().meta({
    description:
      "The page that the provider leads back to: `/signin/sso/oauth/NAME/` of this service, which is the default",
  }),
  route_to: Path.optional().meta({ description: "Where to go on after signing in" }),
  route_from: Path.optional().meta({ description: "Where to go back to if it fails" }),
  browser_key: BrowserKey.optional().meta({ description: BROWSER_KEY }),
});

export const ssoTag = tag("Your account", "Single sign-on", "Signing in with an account of a provider.");

export const sso = routes({
  loginUrl: {
    method: "GET",
    path: "/v1/sso/oauth/login-url",
    summary: "Begin to sign in with a provider: the address of its page. What is begun can be finished for ten minutes",
    access: "public",
    ownPagesOnly: true,
    query: LoginUrl.extend({
      invitation_token: LinkKey.optional().meta({ description: "The mailed invitation that this is for" }),
      email: Email.optional().meta({
        description: "Whose organization's provider it is, with `provider=organization`",
      }),
    }),
    reply: z.object({ url: z.url() }),
    fails: ["SSO_PROVIDER_NOT_FOUND", "SSO_PROVIDER_UNAVAILABLE", "LINK_EXPIRED", "TOO_MANY_REQUESTS"],
  },
  callback: {
    method: "GET",
    path: "/v1/sso/oauth/callback",
    summary: "Finish to sign in with a provider, with the query that it led back with",
    access: "public",
    audit: ["user.create", "identity.link", "session.open"],
    ownPagesOnly: true,
    query: LedBack.extend({ browser_token: BrowserToken }),
    reply: BegunSession.extend({ route_to: z.string().nullable() }),
    fails: [
      "SIGN_IN_NOT_ALLOWED",
      "SSO_STATE_INVALID",
      "SSO_CANCELLED",
      "SSO_FAILED",
      "SSO_PROVIDER_NOT_FOUND",
      "SSO_PROVIDER_UNAVAILABLE",
      "SSO_EMAIL_NOT_VERIFIED",
      "SSO_ACCOUNT_EXISTS",
      "DISPOSABLE_EMAIL",
      "INVITATION_WRONG_ACCOUNT",
      "USER_NOT_ENABLED",
      "SECOND_FACTOR_REQUIRED",
      "SECOND_FACTOR_SETUP_REQUIRED",
      "TOO_MANY_REQUESTS",
    ],
  },
  linkUrl: {
    method: "POST",
    path: "/v1/sso/oauth/link-url",
    summary: "Begin to link your account at a provider with the one you are signed in to, with your password",
    access: "signed-in",
    audit: { none: "it begins what `link` finishes" },
    scope: "admin",
    ownPagesOnly: true,
    body: LoginUrl.extend({ browser_key: BrowserKey.meta({ description: BROWSER_KEY }), ...Proof.shape }),
    reply: z.object({ url: z.url() }),
    fails: [...proofFails, "SSO_PROVIDER_NOT_FOUND", "SSO_PROVIDER_UNAVAILABLE"],
  },
  link: {
    method: "POST",
    path: "/v1/sso/oauth/link",
    summary: "Finish to link your account at a provider, with the query that it led back with",
    access: "signed-in",
    audit: ["identity.link"],
    body: LedBack,
    status: 204,
    fails: [
      "FORBIDDEN",
      "SSO_STATE_INVALID",
      "SSO_CANCELLED",
      "SSO_FAILED",
      "SSO_PROVIDER_NOT_FOUND",
      "SSO_PROVIDER_UNAVAILABLE",
      "SSO_EMAIL_NOT_VERIFIED",
      "IDENTITY_IN_USE",
    ],
  },
  identities: {
    method: "GET",
    path: "/v1/users/:uuid/identities",
    summary: "With which accounts of providers you can sign in",
    access: "signed-in",
    scope: "admin",
    params: ByUuid,
    reply: z.object({ identities: z.array(Identity), has_password: z.boolean() }),
    fails: ["FORBIDDEN", "USER_NOT_FOUND"],
  },
  unlink: {
    method: "DELETE",
    path: "/v1/users/:uuid/identities/:identity",
    summary:
      "End signing in with an account of a provider, with your password. Without a password the last such account stays",
    access: "signed-in",
    audit: ["identity.unlink"],
    ownPagesOnly: true,
    params: ByUuid.extend({ identity: GivenUuid }),
    body: Proof,
    status: 204,
    fails: [...proofFails, "USER_NOT_FOUND", "IDENTITY_NOT_FOUND", "NO_PASSWORD", "LAST_WAY_TO_SIGN_IN"],
  },
});
