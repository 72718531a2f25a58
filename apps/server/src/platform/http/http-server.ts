import type { Clock } from "@terrarium/clock";
import { AppError, basePath, limits, type Route } from "@terrarium/contract";
import cors from "@fastify/cors";
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import helmet from "helmet";
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { mediaTypeError } from "./receive-body.ts";
import { clientAddresses } from "./client-address.ts";
import { refuseSlowBodies } from "./slow-bodies.ts";
import { answerClientError, registerErrorHandler, asAppError, sendError } from "./errors.ts";
import { hasOneHost, refuseSeveralHosts } from "./one-host.ts";
import { refuseOtherMethods } from "./refuse-other-methods.ts";
import { reportUndeclaredProxies } from "./undeclared-proxies.ts";

/** How long a client may take to send the headers of a request. */
const HEADERS_TIMEOUT_MS = 30_000;

/** A request may name its target with an origin (RFC 9112, section 3.2.2). */
const ORIGIN_OF_TARGET = /^https?:\/\/[^/?]*\/?/i;

/** How long browsers use https only, once they have seen the service there. */
const HTTPS_ONLY_S = 365 * 24 * 60 * 60;

export interface HttpOptions {
  clock: Clock;
  log: FastifyBaseLogger;
  /** Addresses or ranges of reverse proxies whose `X-Forwarded-*` headers are trusted. */
  trustedProxies: string[];
  /** How clients reach the service, if not at the address in their requests. */
  publicUrl?: string | undefined;
  /** Pages may load the script and the frames of Cloudflare Turnstile. */
  hasTurnstile?: boolean;
  /** Pages may load the script and the frames of Stripe. */
  hasStripe?: boolean;
  /** Where pages ask for people's pictures; nowhere by default. */
  avatarUrl?: string | undefined;
  /** Other origins that our pages connect to. */
  connectsTo?: readonly string[] | undefined;
  /** What it will be given to serve: other methods of their paths are answered as such. */
  routes?: readonly Route[];
}

type Pages = Pick<HttpOptions, "publicUrl" | "hasTurnstile" | "hasStripe" | "avatarUrl" | "connectsTo">;

/** An HTTP server with what every route shares: error handling, JSON parsing, timeouts, security headers, CORS. It does not listen yet. */
export async function createHttpServer({
  clock,
  log,
  trustedProxies,
  publicUrl,
  hasTurnstile = false,
  hasStripe = false,
  avatarUrl,
  connectsTo = [],
  routes = [],
}: HttpOptions): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // A logger for each request would cost more than the few lines that are ever written; those name the request.
    childLoggerFactory: (logger) => logger,
    bodyLimit: limits.bodyBytes,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      // The others become requests: several hosts are refused there too, and clients that offer HTTP/2 are answered.
      shouldUpgradeCallback: (request) =>
        app.server.listenerCount("upgrade") > 0 &&
        request.headers.upgrade?.toLowerCase() === "websocket" &&
        hasOneHost(request),
    },
    // Requests that arrive on open connections while the server closes are still served; the reply closes their connection.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => answerClientError(error.code, socket),
    frameworkErrors: (error, request, reply) => void sendError(request, reply, asAppError(error)),
    trustProxy: trustedProxies.length > 0 ? trustedProxies : false,
    rewriteUrl: ({ url = "/" }) => url.replace(ORIGIN_OF_TARGET, "/"),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 16_384 },
  });
  registerErrorHandler(app);
  const shared = securityHeaders({ publicUrl, hasTurnstile, hasStripe, avatarUrl, connectsTo });
  app.addHook("onRequest", (request, reply, done) => {
    reply.headers(shared).header("x-request-id", request.id);
    // A clock that an operator has moved is what clients go by.
    if (clock.movedMs?.()) reply.header("date", new Date(clock.now()).toUTCString());
    // Replies are personal: no shared cache may store them.
    if (request.url.startsWith(basePath)) reply.header("cache-control", "no-store");
    done();
  });
  refuseSeveralHosts(app);
  reportUndeclaredProxies(app, trustedProxies);
  const clientAddress = clientAddresses(trustedProxies);
  app.decorateRequest("clientAddress", {
    getter() {
      return clientAddress(this.raw);
    },
  });
  readJson(app);
  refuseSlowBodies(app, clock);
  hangUpOnClose(app);
  await app.register(cors, {
    origin: "*",
    methods: ["GET", "POST", "PUT", "PATCH", "DELETE"],
    allowedHeaders: ["authorization", "content-type", "idempotency-key", "x-api-token"],
    // Browsers send complete preflight requests; other clients may send an OPTIONS request without those headers.
    strictPreflight: false,
    exposedHeaders: ["content-disposition", "retry-after", "x-renewed-token", "x-request-id"],
    maxAge: 86_400,
  });
  refuseOtherMethods(app, routes);
  return app;
}

/** While the server closes, each reply also closes its connection, so that keep-alive clients do not delay the shutdown. */
function hangUpOnClose(app: FastifyInstance): void {
  let closing = false;
  app.addHook("preClose", async () => void (closing = true));
  app.addHook("onSend", (_request, reply, payload, done) => {
    if (closing) reply.header("connection", "close");
    done(null, payload);
  });
}

/** Parses JSON bodies. An empty body with a JSON content type counts as no body: existing clients send that. */
function readJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    try {
      done(null, withoutPrototypes(JSON.parse(body as string)));
    } catch (error) {
      done(new AppError("invalid_request", { message: "The body is not valid JSON.", cause: error }));
    }
  });
  // The same holds for an empty body with no content type, or any other.
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) =>
    body.length === 0 ? done(null, undefined) : done(mediaTypeError(["application/json"])),
  );
}

/** Drops `__proto__`, as schemas drop any other unknown field. */
function withoutPrototypes(value: unknown): unknown {
  if (value !== null && typeof value === "object" && Object.hasOwn(value, "__proto__")) {
    return Object.fromEntries(Object.entries(value).filter(([name]) => name !== "__proto__"));
  }
  return value;
}

/** Helmet's headers. They are the same for every reply, so it is called once. */
function securityHeaders({
  publicUrl,
  hasTurnstile,
  hasStripe,
  avatarUrl,
  connectsTo = [],
}: Pages): Record<string, string> {
  const scripts = [...(hasTurnstile ? [TURNSTILE] : []), ...(hasStripe ? stripe.scripts : [])];
  const frames = [...scripts, ...(hasStripe ? stripe.frames : [])];
  const headers: Record<string, string> = {};
  const response = { setHeader: (name: string, value: string) => (headers[name] = value), removeHeader() {} };
  helmet({
    contentSecurityPolicy: {
      directives: {
        ...contentSecurity,
        scriptSrc: ["'self'", ...scripts],
        frameSrc: ["'self'", ...frames],
        imgSrc: [...contentSecurity.imgSrc, ...(avatarUrl ? [new URL(avatarUrl).origin] : [])],
        connectSrc: [...connectionsOf(publicUrl), ...(hasStripe ? stripe.connections : []), ...connectsTo],
      },
    },
    crossOriginEmbedderPolicy: false,
    // Other services may run on subdomains, so they are not included.
    strictTransportSecurity: publicUrl?.startsWith("https:")
      ? { maxAge: HTTPS_ONLY_S, includeSubDomains: false }
      : false,
  })({} as IncomingMessage, response as unknown as ServerResponse, () => undefined);
  return headers;
}

/** https://developers.cloudflare.com/turnstile/reference/content-security-policy/ */
const TURNSTILE = "https://challenges.cloudflare.com";

/** https://docs.stripe.com/security/guide#content-security-policy */
const stripe = {
  scripts: ["https://js.stripe.com", "https://*.js.stripe.com"],
  frames: ["https://hooks.stripe.com"],
  connections: ["https://api.stripe.com"],
};

/** Inline styles are for the component library; `blob:` and `mediastream:` are for the player's worker and video. */
const contentSecurity = {
  defaultSrc: ["'self'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", "data:", "blob:"],
  fontSrc: ["'self'", "data:"],
  mediaSrc: ["'self'", "blob:", "mediastream:"],
  workerSrc: ["'self'", "blob:"],
  frameAncestors: ["'none'"],
  objectSrc: ["'none'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  upgradeInsecureRequests: null,
};

/** What pages may connect to besides the origins of the settings: where they came from, which includes WebSockets, and the address in viewers' URLs. */
function connectionsOf(publicUrl: string | undefined): string[] {
  if (!publicUrl) return ["'self'"];
  const { origin } = new URL(publicUrl);
  return ["'self'", origin.replace(/^http/, "ws")];
}

declare module "fastify" {
  interface FastifyRequest {
    /** See `clientAddresses`; `ip` may have a port, and be another for each connection. */
    readonly clientAddress: string;
  }
}
