import type { Clock } from "@terrarium/clock";
import { Email } from "@terrarium/contract";
import * as oauth from "openid-client";
import { z } from "zod";
import { FreshCache } from "../../platform/fresh-cache.ts";
import { isLoopback } from "../../platform/http/hosts.ts";
import { domainOf } from "../../platform/mail/domain-of.ts";
import { addressOf, type Client, returned, secretOf, TIMEOUT_SECONDS } from "./oauth-client.ts";
import type { Profile, Provider } from "./provider.ts";

const Claims = z.object({
  iss: z.string(),
  sub: z.string().min(1),
  email: Email.optional().catch(undefined),
  // Some providers send it as text.
  email_verified: z.union([z.boolean(), z.stringbool()]).optional().catch(false),
  given_name: z.string().optional().catch(undefined),
  family_name: z.string().optional().catch(undefined),
  /** The domain of a Google Workspace account. */
  hd: z.string().optional().catch(undefined),
});
export type Claims = z.infer<typeof Claims>;

export interface OpenIdOptions extends Pick<Provider, "name" | "label" | "isStandIn" | "organization"> {
  /** Its configuration is at `/.well-known/openid-configuration` below. */
  issuer: string;
  client: Client;
  /** Whether the provider decides who has the address in the claims. */
  speaksFor: (claims: Claims & { email: string }) => boolean;
  /** The claim that names the groups of people. */
  groupsClaim?: string | undefined;
}

/** One text, or several. What else a provider may send counts as not sent. */
const Groups = z
  .union([z.string().transform((value) => [value]), z.array(z.string()).max(10_000)])
  .optional()
  .catch(undefined);

/** What providers say of themselves, by issuer and client. */
export type Configurations = FreshCache<oauth.Configuration>;

/** Providers change their keys and addresses, but seldom. */
export const configurations = (clock: Clock): Configurations =>
  new FreshCache({ clock, freshMs: 60 * 60_000, maxEntries: 1000 });

/** A provider that speaks OpenID Connect. */
export function openIdProvider(
  known: Configurations,
  { issuer, client, speaksFor, groupsClaim, ...named }: OpenIdOptions,
): Provider {
  const url = new URL(issuer);
  const discover = () =>
    known.get(JSON.stringify([issuer, client]), () =>
      oauth.discovery(url, client.id, undefined, secretOf(client), {
        timeout: TIMEOUT_SECONDS,
        // Signatures of ID tokens are verified, and not only the connection that they came over.
        execute: [oauth.enableNonRepudiationChecks, ...(isLoopback(url.hostname) ? [oauth.allowInsecureRequests] : [])],
      }),
    );

  return {
    ...named,
    async begin(flow) {
      const config = await discover();
      // Some providers have a scope of the same name, without which they do not send the claim; others refuse scopes that they do not know.
      const hasScope = groupsClaim !== undefined && config.serverMetadata().scopes_supported?.includes(groupsClaim);
      const scope = `openid email profile${hasScope ? ` ${groupsClaim}` : ""}`;
      return addressOf(config, flow, { scope, nonce: flow.nonce });
    },
    async finish(flow, query) {
      const config = await discover();
      const tokens = await oauth.authorizationCodeGrant(config, returned(flow, query), {
        pkceCodeVerifier: flow.verifier,
        expectedState: flow.state,
        expectedNonce: flow.nonce,
        idTokenExpected: true,
      });
      const inToken: Record<string, unknown> = tokens.claims() ?? {};
      const known = Claims.parse(inToken);
      const hasMore = config.serverMetadata().userinfo_endpoint !== undefined;
      const ask = async (): Promise<Record<string, unknown>> =>
        oauth.fetchUserInfo(config, tokens.access_token, known.sub);
      const info = hasMore && known.email === undefined ? await ask() : undefined;
      const claims = info ? Claims.parse({ ...info, iss: known.iss }) : known;
      const profile = profileOf(claims, speaksFor);
      if (groupsClaim === undefined) return profile;
      // Nobody is locked out because their groups cannot be read.
      const more = info ?? (hasMore && inToken[groupsClaim] === undefined ? await ask().catch(() => ({})) : {});
      return { ...profile, groups: Groups.parse({ ...more, ...inToken }[groupsClaim]) };
    },
  };
}

function profileOf(claims: Claims, speaksFor: OpenIdOptions["speaksFor"]): Profile {
  const { iss: issuer, sub: subject, email, email_verified, given_name = "", family_name = "" } = claims;
  const isAuthoritative = email !== undefined && speaksFor({ ...claims, email });
  // Whoever decides who has an address need not say that it is verified; some company providers never do.
  const isVerified = email_verified === true || (isAuthoritative && email_verified === undefined);
  return {
    issuer,
    subject,
    email: isVerified ? email : undefined,
    isAuthoritative: isVerified && isAuthoritative,
    firstName: given_name,
    lastName: family_name,
  };
}

/** Google decides who has a Gmail address, and who has one of a Workspace domain, which it names as `hd`. */
export const googleSpeaksFor: OpenIdOptions["speaksFor"] = ({ email, hd }) =>
  domainOf(email) === "gmail.com" || (hd !== undefined && domainOf(email) === hd.toLowerCase());

/** A company's provider decides who has an address at the company's domains. */
export const companySpeaksFor =
  (domains: readonly string[]): OpenIdOptions["speaksFor"] =>
  ({ email }) =>
    domains.some((domain) => domainOf(email) === domain.toLowerCase());
