import type { Clock } from "@terrarium/clock";
import { AppError, basePath, limits } from "@terrarium/contract";
import cors from "@fastify/cors";
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import helmet from "helmet";
import { randomUUID } from "node:crypto";
import { mediaTypeError } from "./receive-body.ts";
import { refuseSlowBodies } from "./slow-bodies.ts";
import { answerClientError, answerErrors, asAppError, sendError } from "./errors.ts";

/** Clients that open a connection and send no request are dropped. */
const HEADERS_TIMEOUT_MS = 30_000;

export interface HttpOptions {
  clock: Clock;
  log: FastifyBaseLogger;
  /** Addresses or ranges of reverse proxies whose `X-Forwarded-*` headers count. */
  trustedProxies: string[];
}

/** An HTTP server with the habits every route shares; it does not listen yet. */
export async function createHttpServer({ clock, log, trustedProxies }: HttpOptions): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: limits.bodyBytes,
    http: { headersTimeout: HEADERS_TIMEOUT_MS },
    // Calls that come on open connections while the server closes are answered like any other; their connections end with that.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => answerClientError(error.code, socket),
    frameworkErrors: (error, request, reply) => void sendError(request, reply, asAppError(error)),
    trustProxy: trustedProxies.length > 0 ? trustedProxies : false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 16_384 },
  });
  answerErrors(app);
  readJson(app);
  refuseSlowBodies(app, clock);
  hangUpOnClose(app);
  const protect = helmet({
    contentSecurityPolicy: { directives: contentSecurity },
    crossOriginEmbedderPolicy: false,
    strictTransportSecurity: false,
  });
  app.addHook("onRequest", (request, reply, done) => protect(request.raw, reply.raw, () => done()));
  await app.register(cors, {
    origin: "*",
    methods: ["GET", "POST", "PUT", "PATCH", "DELETE"],
    allowedHeaders: ["authorization", "content-type", "idempotency-key", "x-api-token"],
    // A browser sends its questions in full; others may ask in passing.
    strictPreflight: false,
    exposedHeaders: ["content-disposition", "retry-after", "x-renewed-token", "x-request-id"],
    maxAge: 86_400,
  });
  app.addHook("onSend", async (request, reply) => {
    reply.header("x-request-id", request.id);
    // Answers are about one person; no cache between us may keep them.
    if (request.url.startsWith(basePath)) reply.header("cache-control", "no-store");
  });
  app.setNotFoundHandler((request, reply) => sendError(request, reply, new AppError("ROUTE_NOT_FOUND")));
  return app;
}

/** Answers given while the server closes are the last on their connections: a client that would keep one does not hold up the stop. */
function hangUpOnClose(app: FastifyInstance): void {
  let closing = false;
  app.addHook("preClose", async () => void (closing = true));
  app.addHook("onSend", async (_request, reply) => {
    if (closing) reply.header("connection", "close");
  });
}

/** An empty body with a JSON content type counts as no body: existing clients send it. */
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
  // A call with no content type has no body either, when it is empty.
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) =>
    body.length === 0 ? done(null, undefined) : done(mediaTypeError(["application/json"])),
  );
}

/** `__proto__` in a body is a field like any other that nobody asked for. */
function withoutPrototypes(value: unknown): unknown {
  if (value !== null && typeof value === "object" && Object.hasOwn(value, "__proto__")) {
    return Object.fromEntries(Object.entries(value).filter(([name]) => name !== "__proto__"));
  }
  return value;
}

/** Styles are written into the page by the component library; the player runs a worker from a blob and plays a stream. */
const contentSecurity = {
  defaultSrc: ["'self'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", "data:", "blob:"],
  fontSrc: ["'self'", "data:"],
  mediaSrc: ["'self'", "blob:", "mediastream:"],
  workerSrc: ["'self'", "blob:"],
  connectSrc: ["'self'", "ws:", "wss:"],
  frameAncestors: ["'none'"],
  objectSrc: ["'none'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  upgradeInsecureRequests: null,
};
