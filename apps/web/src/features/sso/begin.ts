import type { Proof } from "../../shared/proof/use-proof.ts";
import { client } from "../../session/client.ts";

/** What this tab has begun; nobody else can finish it. */
const KEY = "terrarium.sso";

/** What a sign-in with a provider is for. */
export interface Purpose {
  /** Where to go on afterwards. */
  to?: string;
  /** Where it began. */
  from: string;
  /** The token of the invitation that is accepted with it. */
  invitation?: string;
  /** Whether the provider is linked with the account that is signed in. */
  isLink?: boolean;
}

export interface Begun extends Purpose {
  /** The provider's name on the wire. */
  provider: string;
  key: string;
}

export const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Opens the provider's page, which leads back to ours.
 * @throws AppError
 */
export const beginSso = (provider: string, purpose: Purpose, email?: string): Promise<void> =>
  open(provider, purpose, (query) =>
    client.sso.loginUrl({ query: { ...query, invitation_token: purpose.invitation, email } }),
  );

/**
 * Likewise, to link the provider with the account of whoever is signed in and has proved who they are. Leads back to the page `at`.
 * @throws AppError
 */
export const beginLink = (provider: string, at: string, proof: Proof): Promise<void> =>
  open(provider, { from: at, to: at, isLink: true }, (body) => client.sso.linkUrl({ body: { ...body, ...proof } }));

async function open(
  provider: string,
  purpose: Purpose,
  ask: (wanted: {
    provider: string;
    redirect_uri: string;
    browser_key: string;
    route_to: string | undefined;
    route_from: string;
  }) => Promise<{ url: string }>,
): Promise<void> {
  const browser_key = randomKey();
  const page = provider === "github-saas" ? "github" : provider;
  const redirect_uri = `${location.origin}/signin/sso/oauth/${page}/`;
  const { url } = await ask({ provider, redirect_uri, browser_key, route_to: purpose.to, route_from: purpose.from });
  sessionStorage.setItem(KEY, JSON.stringify({ ...purpose, provider, key: browser_key } satisfies Begun));
  location.assign(url);
}

/** What was begun in this tab, if anything, and not finished. */
export function takeBegun(): Begun | undefined {
  const stored = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  try {
    return (JSON.parse(stored ?? "null") as Begun | null) ?? undefined;
  } catch {
    return undefined;
  }
}
