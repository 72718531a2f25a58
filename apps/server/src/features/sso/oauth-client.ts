import * as oauth from "openid-client";
import type { Flow } from "./provider.ts";

/** For each request to a provider. */
export const TIMEOUT_SECONDS = 10;

/** What we are to a provider. */
export interface Client {
  id: string;
  secret: string;
}

/** Sends the secret in the way that the provider accepts; without its word for it, in the one that every provider must. */
export const secretOf =
  ({ secret }: Client): oauth.ClientAuth =>
  (server, ...rest) => {
    const accepted = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const send = accepted.includes("client_secret_basic") ? oauth.ClientSecretBasic : oauth.ClientSecretPost;
    return send(secret)(server, ...rest);
  };

/** The address of the provider's page for a flow. */
export async function addressOf(
  config: oauth.Configuration,
  { redirectUri, state, verifier }: Flow,
  more: Record<string, string>,
): Promise<string> {
  const url = oauth.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...more,
  });
  return url.href;
}

/** The address that the provider led back to. */
export function returned({ redirectUri }: Flow, query: Readonly<Record<string, string>>): URL {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}
