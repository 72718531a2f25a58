import { Email } from "@terrarium/contract";
import * as oauth from "openid-client";
import { z } from "zod";
import { isLoopback } from "../../platform/http/hosts.ts";
import { addressOf, type Client, returned, secretOf, TIMEOUT_SECONDS } from "./oauth-client.ts";
import type { Provider } from "./provider.ts";

const Account = z.object({ id: z.int(), name: z.string().nullish() });
const Addresses = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

export interface GithubOptions extends Pick<Provider, "name" | "label" | "isStandIn"> {
  client: Client;
  /** GitHub's, or those of a stand-in. */
  site?: string;
  api?: string;
}

/**
 * GitHub speaks OAuth 2, without ID tokens: who somebody is has to be asked of its API. It verifies addresses by a mail, once, so it is
 * authoritative for none.
 */
export function githubProvider({
  client,
  site = "https://github.com",
  api = "https://api.github.com",
  ...named
}: GithubOptions): Provider {
  // The issuer as GitHub sends it in `iss` (RFC 9207).
  const issuer = `${site}/login/oauth`;
  const server = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/access_token`,
    token_endpoint_auth_methods_supported: ["client_secret_post"],
  };
  const config = new oauth.Configuration(server, client.id, undefined, secretOf(client));
  config.timeout = TIMEOUT_SECONDS;
  if (isLoopback(new URL(site).hostname)) oauth.allowInsecureRequests(config);

  const ask = async (token: string, path: string): Promise<unknown> => {
    const headers = new Headers({ accept: "application/vnd.github+json", "user-agent": "terrarium" });
    const reply = await oauth.fetchProtectedResource(config, token, new URL(api + path), "GET", undefined, headers);
    if (!reply.ok) throw new Error(`${path} was answered with ${reply.status}`);
    return reply.json();
  };
  return {
    ...named,
    begin: (flow) => addressOf(config, flow, { scope: "read:user user:email" }),
    async finish(flow, query) {
      const checks = { pkceCodeVerifier: flow.verifier, expectedState: flow.state };
      const { access_token } = await oauth.authorizationCodeGrant(config, returned(flow, query), checks);
      const { id, name } = Account.parse(await ask(access_token, "/user"));
      const addresses = Addresses.parse(await ask(access_token, "/user/emails"));
      const [firstName = "", ...rest] = (name ?? "").trim().split(/\s+/);
      return {
        issuer,
        subject: String(id),
        email: Email.safeParse(addresses.find(({ primary, verified }) => primary && verified)?.email).data,
        isAuthoritative: false,
        firstName,
        lastName: rest.join(" "),
      };
    },
  };
}
