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
import { maxBytesOf, takeBodies } from "./receive-body.ts";
import { receiveForm } from "./receive-form.ts";
import { sendReply } from "./send-reply.ts";
import { SharedReads } from "./shared-reads.ts";

/** What a handler may know of the call beside its parsed parts. */
export interface Call<Actor> {
  actor: Actor;
  /** The service as the caller sees it: `http://localhost:8080`. */
  origin: string;
  /** The caller's own address with path and query, for links to other pages of a list. */
  url: URL;
  ip: string;
  idempotencyKey: string | undefined;
}

/** Public routes have no actor; all others have one that was allowed in. */
export type ActorFor<A extends Access, Actor> = A extends "public" ? undefined : Actor;

export type Handlers<Table extends Record<string, Route>, Actor> = {
  [Verb in keyof Table]: (
    received: Received<Table[Verb]> & Call<ActorFor<Table[Verb]["access"], Actor>>,
  ) => Promise<Answer<Table[Verb]>> | Answer<Table[Verb]>;
};

/** Handlers for every noun of a contract and each of its routes. */
export type HandlersOf<Nouns extends Record<string, Record<string, Route>>, Actor> = {
  [Noun in keyof Nouns]: Handlers<Nouns[Noun], Actor>;
};

export interface Service<Actor> {
  guard: Guard<Actor>;
  /** How callers reach the service, when that is not what their request says. */
  publicUrl: string | undefined;
}

export interface Guard<Actor> {
  /** Who sent it; throws when nobody may tell, or when `access` is more than they have. */
  admit(request: FastifyRequest, reply: FastifyReply, access: Exclude<Access, "public">): Promise<Actor>;
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

/** Serves every route of a table: admits the caller, parses what came, and lets out what the reply's schema names. */
export function implement<Table extends Record<string, Route>, Actor>(
  app: FastifyInstance,
  table: Table,
  { guard, publicUrl }: Service<Actor>,
  handlers: Handlers<Table, Actor>,
): void {
  const reads = new SharedReads<string | undefined>();
  for (const [verb, route] of Object.entries(table)) {
    const handle = handlers[verb] as (received: object) => unknown;
    const serve = (scope: FastifyInstance) =>
      scope.route({
        method: route.method,
        url: basePath + route.path,
        config: { route },
        bodyLimit: maxBytesOf(route.body, route.maxBodyBytes),
        handler: async (request, reply) => {
          const actor = route.access === "public" ? undefined : await guard.admit(request, reply, route.access);
          const call = callOf(request, route, publicUrl);
          const answer = () => withParts(route, request, async (parts) => handle({ actor, ...parts, ...call }));
          if (route.reply && !isJson(route.reply)) return sendReply(request, reply, route, await answer());

          const text = async () => letOut(route, await answer());
          const json = await (route.method === "GET" ? reads.read(questionOf(request, call.url), text) : text());
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

/** The same question by the same caller: many jobs that poll with one token ask it at once. */
const questionOf = ({ headers }: FastifyRequest, url: URL): string =>
  JSON.stringify([headers.authorization, headers["x-api-token"], url.href]);

/** Hands on the parts of a request, parsed; the files of a form are there until `use` is done. */
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
  const { fields, files, remove } = await receiveForm(request, body);
  try {
    return await use({ ...head, body: { fields: body.fields.parse(fields), files } });
  } finally {
    await remove();
  }
}

/** The answer as it is sent; undefined where the route has none. One that does not fit its schema is our mistake, not the caller's. */
function letOut(route: Route, answer: unknown): string | undefined {
  if (!route.reply || !isJson(route.reply)) return undefined;
  const parsed = route.reply.safeParse(answer);
  if (!parsed.success)
    throw new Error(`${route.method} ${route.path} answered what its contract does not name`, { cause: parsed.error });
  return JSON.stringify(parsed.data);
}

const KEY = new RegExp(`^[\\x21-\\x7e]{1,${limits.idempotencyKeyLength}}$`);
/** A name or an address with an optional port, and nothing else that a URL may hold. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

function callOf(request: FastifyRequest, route: Route, publicUrl: string | undefined): Omit<Call<unknown>, "actor"> {
  const key = route.idempotent ? request.headers["idempotency-key"] : undefined;
  if (key !== undefined && !KEY.test(String(key)))
    throw fieldError("Idempotency-Key", `1 to ${limits.idempotencyKeyLength} printable characters`);
  const origin = publicUrl ? new URL(publicUrl).origin : originOf(request);
  return { origin, url: new URL(request.url, origin), ip: request.ip, idempotencyKey: key as string | undefined };
}

/** The service as the caller names it; it goes into links that only the caller gets. */
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
  }
}
