import type { Clock } from "@terrarium/clock";
import { Email } from "@terrarium/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { FreshCache } from "../../platform/fresh-cache.ts";
import { isLoopback } from "../../platform/http/hosts.ts";
import { bearerTokenOf } from "../sessions/bearer-token.ts";
import { choicePage } from "./choice-page.ts";

/** Where it is, below the origin of the service. */
export const STAND_IN_PATH = "/stand-in";

const CODE_MS = 60_000;
const MAX_CODES = 1000;
const TOKEN_SECONDS = 600;
const KEY_ID = "stand-in";

export interface StandInOptions {
  clock: Clock;
  /** Its own address. */
  url: () => string;
  client: { id: string; secret: string };
  /** Whose addresses it offers besides one that is typed. */
  accounts: readonly { email: string }[];
}

const Authorize = z.object({
  client_id: z.string(),
  redirect_uri: z.url({ protocol: /^https?$/ }),
  state: z.string(),
  nonce: z.string().optional(),
  code_challenge: z.string(),
  /** Who was chosen; without it there is a choice. */
  as: Email.optional(),
});
type Asked = z.infer<typeof Authorize>;

interface Granted extends Asked {
  as: string;
}

const Exchange = z.object({
  code: z.string(),
  code_verifier: z.string(),
  redirect_uri: z.string(),
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
});

/**
 * Plays Google and GitHub for a demonstration: OpenID Connect and OAuth 2 with GitHub's API, as far as signing in needs them. Anybody may
 * be anybody here, so it must only be served where the passwords of the demo accounts are published too.
 */
export async function serveStandIn(
  app: FastifyInstance,
  { clock, url, client, accounts }: StandInOptions,
): Promise<void> {
  const { publicKey, privateKey } = await generateKeyPair("RS256");
  const jwk = { ...(await exportJWK(publicKey)), kid: KEY_ID, alg: "RS256", use: "sig" };
  const codes = new Map<string, Granted & { until: number }>();
  const tokens = new FreshCache<Granted>({ clock, freshMs: TOKEN_SECONDS * 1000, maxEntries: 1000 });
  const random = () => randomBytes(32).toString("base64url");
  const issuers = { google: url, github: () => `${url()}/login/oauth` };

  /** Offers a choice of people, or leads back with a code for the one who was chosen. */
  const authorize =
    (provider: keyof typeof issuers) =>
    (request: FastifyRequest, reply: FastifyReply): unknown => {
      const asked = Authorize.safeParse(request.query).data;
      const back = asked && new URL(asked.redirect_uri);
      if (!back || asked.client_id !== client.id || !isLoopback(back.hostname))
        return reply.status(400).send("Bad request");
      if (asked.as === undefined) return choicePage(reply, provider, request.query as Record<string, string>, accounts);
      const code = random();
      codes.set(code, { ...asked, as: asked.as, until: clock.monotonic() + CODE_MS });
      // A map keeps the order of insertion: the first is the oldest.
      if (codes.size > MAX_CODES) codes.delete(codes.keys().next().value ?? "");
      back.search = String(new URLSearchParams({ code, state: asked.state, iss: issuers[provider]() }));
      return reply.redirect(back.href);
    };

  /** What a code was given for. It works once. */
  const redeem = (request: FastifyRequest): Granted | undefined => {
    const sent = Exchange.safeParse(request.body).data;
    const granted = sent && codes.get(sent.code);
    if (!granted) return undefined;
    codes.delete(sent.code);
    const [id = sent.client_id, secret = sent.client_secret] = basicOf(request.headers.authorization);
    const isOurs = id === client.id && secret === client.secret && sent.redirect_uri === granted.redirect_uri;
    const challenge = createHash("sha256").update(sent.code_verifier).digest("base64url");
    const isInTime = granted.until > clock.monotonic();
    return isOurs && isInTime && challenge === granted.code_challenge ? granted : undefined;
  };

  const exchange = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const granted = redeem(request);
    if (!granted) return reply.status(400).send({ error: "invalid_grant" });
    const access_token = random();
    await tokens.get(access_token, async () => granted);
    const { as: email, nonce } = granted;
    const id_token =
      nonce &&
      (await new SignJWT({ nonce, email, email_verified: true, hd: email.split("@")[1], given_name: nameOf(email) })
        .setProtectedHeader({ alg: "RS256", kid: KEY_ID })
        .setIssuer(url())
        .setSubject(email)
        .setAudience(client.id)
        // By the machine's time, as with any other provider: an operator may have moved the clock of the service.
        .setIssuedAt()
        .setExpirationTime(`${TOKEN_SECONDS}s`)
        .sign(privateKey));
    return { access_token, token_type: "Bearer", expires_in: TOKEN_SECONDS, ...(id_token ? { id_token } : {}) };
  };

  const holderOf = async ({ headers }: FastifyRequest): Promise<string> => {
    const token = bearerTokenOf(headers.authorization) ?? "";
    return (await tokens.get(token, () => Promise.reject(new Error("no such token")))).as;
  };

  await app.register(
    async (scope) => {
      const asForm = { parseAs: "string" as const };
      scope.addContentTypeParser("application/x-www-form-urlencoded", asForm, async (_: unknown, body: string) =>
        Object.fromEntries(new URLSearchParams(body)),
      );
      scope.get("/.well-known/openid-configuration", () => ({
        issuer: url(),
        authorization_endpoint: `${url()}/authorize`,
        token_endpoint: `${url()}/token`,
        jwks_uri: `${url()}/keys`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"],
        code_challenge_methods_supported: ["S256"],
        authorization_response_iss_parameter_supported: true,
      }));
      scope.get("/keys", () => ({ keys: [jwk] }));
      scope.get("/authorize", authorize("google"));
      scope.get("/login/oauth/authorize", authorize("github"));
      scope.post("/token", exchange);
      scope.post("/login/oauth/access_token", exchange);
      scope.get("/api/user", async (request) => {
        const email = await holderOf(request);
        return { id: createHash("sha256").update(email).digest().readUInt32BE(), name: nameOf(email) };
      });
      scope.get("/api/user/emails", async (request) => [
        { email: await holderOf(request), primary: true, verified: true },
      ]);
    },
    { prefix: STAND_IN_PATH },
  );
}

/** The client and its secret in an `Authorization` header. */
function basicOf(header = ""): (string | undefined)[] {
  const [, encoded] = /^Basic (\S+)$/i.exec(header) ?? [];
  return encoded === undefined ? [] : Buffer.from(encoded, "base64").toString().split(":").map(decodeURIComponent);
}

/** `Robin` for robin@example.com. */
const nameOf = (email: string): string => email.charAt(0).toUpperCase() + email.slice(1).replace(/@.*/, "");
