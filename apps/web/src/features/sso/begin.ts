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
export async function beginSso(provider: string, purpose: Purpose, email?: string): Promise<void> {
  const key = randomKey();
  const page = provider === "github-saas" ? "github" : provider;
  const query = {
    provider,
    redirect_uri: `${location.origin}/signin/sso/oauth/${page}/`,
    browser_key: key,
    route_to: purpose.to,
    route_from: purpose.from,
  };
  const { url } = purpose.isLink
    ? await client.sso.linkUrl({ query })
    : await client.sso.loginUrl({ query: { ...query, invitation_token: purpose.invitation, email } });
  sessionStorage.setItem(KEY, JSON.stringify({ ...purpose, provider, key } satisfies Begun));
  location.assign(url);
}

/** What was begun in this tab, if anything, and not finished. */
export function takeBegun(): Begun | undefined {
  const kept = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  try {
    return (JSON.parse(kept ?? "null") as Begun | null) ?? undefined;
  } catch {
    return undefined;
  }
}
