import {
  type Access,
  type Answer,
  AppError,
  basePath,
  isJson,
  limits,
  type Received,
  type Route,
} from "@terrarium/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { arrivingBody } from "./arriving-body.ts";
import { isOwnPage, type Origins, ownPagesOnly } from "./own-pages.ts";
import { maxBytesOf, takeBodies } from "./receive-body.ts";
import { receiveForm } from "./receive-form.ts";
import { type Admission, type PreparedReply, readEarly } from "./read-early.ts";
import { sendReply } from "./send-reply.ts";
import { writerOf } from "./reply-writer.ts";
import { SharedReads } from "./shared-reads.ts";

/** What a handler gets besides the parsed parts of the request. */
export interface Call<Actor> {
  actor: Actor;
  /** The origin at which the client reaches the service: `http://localhost:8080`. */
  origin: string;
  /** The URL of the request at that origin, for links to other pages of a list. */
  url: string;
  ip: string;
  /** What the browser or program says of itself. */
  userAgent: string | undefined;
  /** In the reply's `x-request-id`, and in logs. */
  requestId: string;
  idempotencyKey: string | undefined;
  /** Of a page that an organization allows to call this (`organizationPages`); undefined for our own pages, and for programs. */
  pageOrigin: string | undefined;
}

/** Public routes have no actor; all others have one who was admitted, and routes for members one who has an organization. */
type ActorFor<A extends Access, Actor> = A extends "public"
  ? undefined
  : [A, Actor] extends ["member" | "manager", { organization: unknown }]
    ? Actor & { organization: string }
    : Actor;

export type Handlers<Table extends Record<string, Route>, Actor> = {
  [Verb in keyof Table]: (
    received: Received<Table[Verb]> & Call<ActorFor<Table[Verb]["access"], Actor>>,
  ) => Promise<Answer<Table[Verb]>> | Answer<Table[Verb]>;
};

/** Handlers for every route of every noun of a contract. */
export type HandlersOf<Nouns extends Record<string, Record<string, Route>>, Actor> = {
  [Noun in keyof Nouns]: Handlers<Nouns[Noun], Actor>;
};

export interface Service<Actor> extends Origins {
  guard: Guard<Actor>;
  /** Fails requests whose reply does not match the contract's schema. For tests, as it costs more than everything else done to a reply. */
  checkReplies?: boolean | undefined;
}

export interface Guard<Actor> {
  /** Authenticates and authorizes the caller. */
  admit(request: FastifyRequest, reply: FastifyReply, route: Route): Promise<Admission<Actor>> | Admission<Actor>;
}

/** Serves every route of a contract. */
export function implementAll<Nouns extends Record<string, Record<string, Route>>, Actor>(
  app: FastifyInstance,
  contract: Nouns,
  service: Service<Actor>,
  handlers: HandlersOf<Nouns, Actor>,
): void {
  for (const noun in contract) implement(app, contract[noun], service, handlers[noun]);
}

/** Registers every route of a table: admits the caller, parses the request, and serialises the reply by its schema. */
export function implement<Table extends Record<string, Route>, Actor>(
  app: FastifyInstance,
  table: Table,
  { guard, publicUrl, allowedOrigins = [], isListedOrigin, checkReplies = false }: Service<Actor>,
  handlers: Handlers<Table, Actor>,
): void {
  const corsOf = ({ organizationPages }: Route) => ({
    origin: async (origin: string | undefined) => {
      const isListed = organizationPages && origin !== undefined && (await isListedOrigin?.(origin, organizationPages));
      return isListed ? [...allowedOrigins, origin] : [...allowedOrigins];
    },
  });
  const refuseOtherPages = ownPagesOnly({ publicUrl, allowedOrigins, isListedOrigin });
  const isOwn = isOwnPage({ publicUrl, allowedOrigins });
  const reads = new SharedReads<PreparedReply<Actor>>();
  const publicOrigin = publicUrl && new URL(publicUrl).origin;
  for (const [verb, route] of Object.entries(table)) {
    const handle = handlers[verb] as (received: object) => unknown;
    const write = route.reply && isJson(route.reply) ? writerOf(route.reply, checkReplies) : () => undefined;
    const url = basePath + route.path;
    // The plugin for CORS answers preflight requests by the configuration of the route for them.
    if (route.ownPagesOnly && !app.hasRoute({ method: "OPTIONS", url }))
      app.options(url, { config: { cors: corsOf(route) } }, (_request, reply) => reply.callNotFound());
    const serve = (scope: FastifyInstance) =>
      scope.route({
        method: route.method,
        url,
        config: { route, ...(route.ownPagesOnly ? { cors: corsOf(route) } : {}) },
        ...(route.ownPagesOnly ? { onRequest: async (request) => refuseOtherPages(request, route) } : {}),
        bodyLimit: maxBytesOf(route.body, route.maxBodyBytes),
        handler: async (request, reply) => {
          const admission = route.access === "public" ? publicAdmission : await guard.admit(request, reply, route);
          const run = async (actor: Actor | undefined) => {
            const pageOrigin = route.organizationPages && !isOwn(request) ? request.headers.origin : undefined;
            const call = { ...callOf(request, route, publicOrigin), pageOrigin };
            return withParts(route, request, async (parts) => handle({ actor, ...parts, ...call }));
          };
          if (route.reply && !isJson(route.reply))
            return sendReply(request, reply, route, await run(await admission.actor));

          const bytes = async (actor: Actor | undefined) => write(await run(actor));
          const json = await (route.method === "GET"
            ? readEarly(reads, readKeyOf(request, route), admission, bytes)
            : bytes(await admission.actor));
          reply.status(route.status ?? (json === undefined ? 204 : 200));
          if (json !== undefined) reply.type("application/json; charset=utf-8");
          return json;
        },
      });
    const { body } = route;
    if (!body || isJson(body)) serve(app);
    else
      void app.register(async (scope) => {
        await takeBodies(scope, body);
        serve(scope);
      });
  }
}

const publicAdmission: Admission<undefined> = { expected: undefined, actor: Promise.resolve(undefined) };

/** Equal for equal requests with the same credentials, which share a reply; headers that the handler reads count too. */
const readKeyOf = ({ headers, protocol, host, url }: FastifyRequest, route: Route): string => {
  const read = Object.keys(route.headers?.shape ?? {}).map((name) => headers[name]);
  return `${headers.authorization ?? ""}\n${String(headers["x-api-token"])}\n${protocol}://${host}${url}\n${JSON.stringify(read)}`;
};

/** Calls `use` with the parsed parts of a request; the files of a form exist until it is done. */
async function withParts<Answer>(
  { params, query, headers, body }: Route,
  request: FastifyRequest,
  use: (parts: { params: unknown; query: unknown; headers: unknown; body: unknown }) => Promise<Answer>,
): Promise<Answer> {
  const head = {
    params: params?.parse(request.params),
    query: query?.parse(request.query),
    headers: headers?.parse(request.headers),
  };
  if (!body || isJson(body)) return use({ ...head, body: body?.parse(request.body ?? {}) });
  if (body.kind === "raw") return use({ ...head, body: request.body ?? Buffer.alloc(0) });
  if (body.kind === "stream") return use({ ...head, body: arrivingBody(request) });
  const { fields, files, remove } = await receiveForm(request, body);
  try {
    return await use({ ...head, body: { fields: body.fields.parse(fields), files } });
  } finally {
    await remove();
  }
}

const KEY = new RegExp(`^[\\x21-\\x7e]{1,${limits.idempotencyKeyLength}}$`);
/** A host name or address with an optional port, and nothing else that a URL may contain. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

function callOf(
  request: FastifyRequest,
  route: Route,
  publicOrigin: string | undefined,
): Omit<Call<unknown>, "actor" | "pageOrigin"> {
  const key = route.idempotent ? request.headers["idempotency-key"] : undefined;
  if (key !== undefined && !KEY.test(String(key)))
    throw fieldError("Idempotency-Key", `1 to ${limits.idempotencyKeyLength} printable characters`);
  const origin = publicOrigin ?? originOf(request);
  return {
    origin,
    url: origin + request.url,
    ip: request.clientAddress,
    userAgent: request.headers["user-agent"],
    requestId: request.id,
    idempotencyKey: key as string | undefined,
  };
}

/** The origin according to the Host header. It is only used for links in the reply to the same client. */
function originOf({ protocol, host }: FastifyRequest): string {
  const origin = `${protocol}://${host}`;
  if (!HOST.test(host) || !URL.canParse(origin)) throw fieldError("Host", "Must be a host name with an optional port");
  return origin;
}

const fieldError = (field: string, message: string) =>
  new AppError("invalid_request", { fields: [{ field, message }] });

declare module "fastify" {
  interface FastifyContextConfig {
    route?: Route;
    /** Replaces options of the plugin for CORS. */
    cors?: { origin: (origin: string | undefined) => Promise<string[]> };
  }
}
