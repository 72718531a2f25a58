import { type Answer, AppError, type Received, type sso } from "@terrarium/contract";
import { AuthorizationResponseError, ClientError, randomNonce, randomPKCECodeVerifier } from "openid-client";
import { cannotBeRebound } from "../../platform/http/hosts.ts";
import { hashLinkKey, newLinkKey } from "../../platform/mail/mailed-link.ts";
import { networksOf } from "../../platform/network-of.ts";
import { takeNetworks } from "../../platform/rate-limits/count-networks.ts";
import type { Limit } from "../../platform/rate-limits/database-rate-limiter.ts";
import type { Requested } from "../audit/by.ts";
import { getInvitation } from "../invitations/join.ts";
import type { Actor } from "../sessions/actor.ts";
import { proveSelf } from "../users/prove-self.ts";
import type { UserDeps } from "../users/users.ts";
import { linkIdentity } from "./identities.ts";
import type { Flow, Profile, Provider } from "./provider.ts";
import { callbackPathOf, type Providers } from "./providers.ts";
import { signInWith } from "./sign-in-with.ts";
import { type FlowRow, insertFlow, takeFlow } from "./sso.store.ts";

/** How long somebody may take at the provider's page. */
const FLOW_MS = 10 * 60_000;

/** Each leaves a row. */
const begunByClient: Limit = { name: "sso: begun by a client", max: 60, windowMs: 60_000 };

export interface SsoDeps extends UserDeps {
  providers: Providers;
  /** How clients reach the service, if not at the address in their requests. */
  publicUrl: string | undefined;
}

interface Begin {
  provider: string;
  redirect_uri?: string | undefined;
  route_to?: string | undefined;
  route_from?: string | undefined;
  invitation_token?: string | undefined;
  browser_key?: string | undefined;
  email?: string | undefined;
}

/** Where a request comes from. */
type From = Requested & { origin: string };

/**
 * Begins to link a provider with the account of somebody who has proved who they are: whoever finds a browser signed in gets no way in
 * of their own there.
 * @throws AppError what `proveSelf` and `begin` throw
 */
export async function beginLink(
  deps: SsoDeps,
  actor: Actor,
  { password, ...wanted }: Begin & { password?: string | undefined },
  from: From,
): Promise<{ url: string }> {
  await proveSelf(deps, actor, password);
  return begin(deps, wanted, from, actor);
}

/**
 * Begins to sign in with a provider, or to link it with the account of `linking`.
 * @throws AppError SSO_PROVIDER_NOT_FOUND, SSO_PROVIDER_UNAVAILABLE, LINK_EXPIRED, TOO_MANY_REQUESTS
 */
export async function begin(deps: SsoDeps, wanted: Begin, from: From, linking?: Actor): Promise<{ url: string }> {
  const { db, clock, limiter, providers } = deps;
  await takeNetworks(limiter, begunByClient, networksOf(from.ip));
  const provider = await providers.find(wanted.provider, { email: wanted.email });
  const redirect_uri = redirectFor(deps, wanted, from);
  const invitation =
    wanted.invitation_token === undefined ? undefined : await getInvitation(deps, wanted.invitation_token);

  const { key: state, hash: state_hash } = newLinkKey();
  const flow: Flow = { redirectUri: redirect_uri, state, nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
  const url = await provider.begin(flow).catch((cause: unknown) => {
    throw new AppError("SSO_PROVIDER_UNAVAILABLE", { cause });
  });
  await insertFlow(db, {
    state_hash,
    browser_hash: hashOf(wanted.browser_key),
    provider: wanted.provider,
    organization_uuid: provider.organization ?? null,
    nonce: flow.nonce,
    verifier: flow.verifier,
    redirect_uri,
    route_to: wanted.route_to ?? null,
    route_from: wanted.route_from ?? null,
    invited_email: invitation?.email ?? null,
    user_uuid: linking?.uuid ?? null,
    expires_at: new Date(clock.now() + FLOW_MS),
  });
  return { url };
}

/** The page that the provider leads back to, which must be ours: whatever it is sent opens an account. */
function redirectFor({ publicUrl, pagesAt }: SsoDeps, { provider, redirect_uri }: Begin, { origin }: From): string {
  const path = callbackPathOf(provider);
  const url = new URL(redirect_uri ?? pagesAt() + path);
  const isOurs =
    redirect_uri === undefined || (url.origin === origin && (publicUrl !== undefined || cannotBeRebound(url.hostname)));
  if (!isOurs || (url.pathname !== path && `${url.pathname}/` !== path) || url.search || url.hash || url.username)
    throw new AppError("invalid_request", {
      fields: [{ field: "redirect_uri", message: `Must be ${path} of this service` }],
    });
  return url.href;
}

const hashOf = (key: string | undefined): Buffer | null => (key === undefined ? null : hashLinkKey(key));

type LedBack = Received<typeof sso.link>["body"];

/**
 * Finishes a sign-in. An error's details say where to go back to, and where to go on to if a second factor is asked for.
 * @throws AppError what `ledBack` and `signInWith` throw
 */
export const finishSignIn = (
  deps: SsoDeps,
  { browser_token, ...query }: Received<typeof sso.callback>["query"],
  from: Requested,
): Promise<Answer<typeof sso.callback>> =>
  ledBack(deps, query, null, async (provider, profile, begun) => ({
    ...(await signInWith(deps, provider, profile, { ...begun, browser_token }, from)),
    route_to: begun.route_to,
  }));

/**
 * Finishes to link a provider with the account of whoever began it.
 * @throws AppError what `ledBack` and `linkIdentity` throw
 */
export const finishLink = (deps: SsoDeps, actor: Actor, query: LedBack, from: Requested): Promise<void> =>
  ledBack(deps, query, actor.uuid, (provider, profile) => linkIdentity(deps, actor, provider, profile, from));

/**
 * Goes on with what was begun: once, at the same provider, by the same browser, by the same user if it was not to sign in, in time.
 * @throws AppError SSO_STATE_INVALID, SSO_CANCELLED, SSO_FAILED, SSO_PROVIDER_UNAVAILABLE, SSO_PROVIDER_NOT_FOUND
 */
async function ledBack<Result>(
  { db, clock, providers }: SsoDeps,
  { provider: name, browser_key, ...query }: LedBack,
  user_uuid: string | null,
  goOn: (provider: Provider, profile: Profile, begun: FlowRow) => Promise<Result>,
): Promise<Result> {
  const which = { state_hash: hashLinkKey(query.state), browser_hash: hashOf(browser_key), provider: name, user_uuid };
  const begun = await takeFlow(db, which, new Date(clock.now()));
  if (!begun) throw new AppError("SSO_STATE_INVALID");
  try {
    const provider = await providers.find(name, { organization: begun.organization_uuid });
    return await goOn(provider, await askProvider(provider, begun, query), begun);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { route_from, route_to } = begun;
    const details = { ...error.details, ...(route_from && { route_from }), ...(route_to && { route_to }) };
    throw new AppError(error.code, { facts: error.facts, details, cause: error });
  }
}

async function askProvider(
  provider: Provider,
  { redirect_uri: redirectUri, nonce, verifier }: FlowRow,
  { state, ...query }: Omit<LedBack, "provider" | "browser_key">,
): Promise<Profile> {
  const given = Object.entries({ state, ...query }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  try {
    return await provider.finish({ redirectUri, nonce, verifier, state }, Object.fromEntries(given));
  } catch (cause) {
    if (cause instanceof AuthorizationResponseError && cause.error === "access_denied")
      throw new AppError("SSO_CANCELLED", { cause });
    const isUnreachable = cause instanceof ClientError && cause.code === "OAUTH_TIMEOUT";
    throw new AppError(isUnreachable || cause instanceof TypeError ? "SSO_PROVIDER_UNAVAILABLE" : "SSO_FAILED", {
      cause,
    });
  }
}
