import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** How an answer differs from an honest one. */
export interface Lie {
  claims?: JWTPayload & Record<string, unknown>;
  /** Not signed at all, or with a key that is not the provider's. */
  signature?: "none" | "of another";
  /** What the provider says of itself. */
  metadata?: Record<string, unknown>;
  /** No ID token. */
  withoutToken?: boolean;
}

/** A provider that answers whatever a test wants. */
export async function startHostileProvider() {
  const own = await generateKeyPair("RS256");
  const other = await generateKeyPair("RS256");
  const jwk = { ...(await exportJWK(own.publicKey)), kid: "one", alg: "RS256", use: "sig" };
  let lie: Lie = {};
  let honest: JWTPayload = {};
  const asked: string[] = [];
  const http = createServer();
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;

  const idToken = async () => {
    const payload = { ...honest, ...lie.claims };
    if (lie.signature === "none") return new UnsecuredJWT(payload).encode();
    const key = lie.signature === undefined ? own.privateKey : other.privateKey;
    return new SignJWT(payload).setProtectedHeader({ alg: "RS256", kid: "one" }).sign(key);
  };
  const answers: Record<string, () => unknown> = {
    "/.well-known/openid-configuration": () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      id_token_signing_alg_values_supported: ["RS256"],
      authorization_response_iss_parameter_supported: true,
      ...lie.metadata,
    }),
    "/keys": () => ({ keys: [jwk] }),
    "/token": async () => ({
      access_token: "a",
      token_type: "Bearer",
      ...(lie.withoutToken ? {} : { id_token: await idToken() }),
    }),
  };
  http.on("request", (request, response) => {
    asked.push(request.url ?? "");
    void Promise.resolve(answers[request.url ?? ""]?.()).then((answer) => {
      response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(answer ?? {}));
    });
  });
  return {
    issuer,
    client: { id: "terrarium", secret: "secret" },
    asked,
    lies: (next: Lie) => {
      lie = next;
    },
    /** What a browser is led back with to finish what was begun at `url`. */
    leadBack(url: string, more: Record<string, string> = {}): Record<string, string> {
      const { searchParams } = new URL(url);
      const now = Math.floor(Date.now() / 1000);
      honest = {
        iss: issuer,
        sub: "robin",
        aud: "terrarium",
        exp: now + 60,
        iat: now,
        nonce: searchParams.get("nonce") ?? "",
        email: "robin@example.com",
        email_verified: true,
      };
      return { code: "c", state: searchParams.get("state") ?? "", iss: issuer, ...more };
    },
  };
}
