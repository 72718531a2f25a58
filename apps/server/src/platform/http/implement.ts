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
import { writerOf } from "./reply-writer.ts";
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
  /** Fails calls whose answer does not fit the contract: for tests, because it costs more than all else that is done to a reply. */
  checkReplies?: boolean | undefined;
}

export interface Guard<Actor> {
  /** Looks at who sent it. */
  admit(
    request: FastifyRequest,
    reply: FastifyReply,
    access: Exclude<Access, "public">,
  ): Promise<Admission<Actor>> | Admission<Actor>;
}

export interface Admission<Actor> {
  /** Who it was the last time: a read is begun for them, while it is not known yet whether they still may. */
  expected: Actor | undefined;
  /**
   * Who it is now: the same object as `expected` only when nothing about them has changed. Rejects when nobody may tell, or when
   * they have less than the route asks for.
   */
  actor: Promise<Actor>;
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
  { guard, publicUrl, checkReplies = false }: Service<Actor>,
  handlers: Handlers<Table, Actor>,
): void {
  const reads = new SharedReads<Made<Actor>>();
  for (const [verb, route] of Object.entries(table)) {
    const handle = handlers[verb] as (received: object) => unknown;
    const write = route.reply && isJson(route.reply) ? writerOf(route.reply, checkReplies) : () => undefined;
    const serve = (scope: FastifyInstance) =>
      scope.route({
        method: route.method,
        url: basePath + route.path,
        config: { route },
        bodyLimit: maxBytesOf(route.body, route.maxBodyBytes),
        handler: async (request, reply) => {
          const admission = route.access === "public" ? anybody : await guard.admit(request, reply, route.access);
          const answer = async (actor: Actor | undefined) => {
            const call = callOf(request, route, publicUrl);
            return withParts(route, request, async (parts) => handle({ actor, ...parts, ...call }));
          };
          if (route.reply && !isJson(route.reply))
            return sendReply(request, reply, route, await answer(await admission.actor));

          const text = async (actor: Actor | undefined) => write(await answer(actor));
          const json = await (route.method === "GET"
            ? read(reads, questionOf(request), admission, text)
            : text(await admission.actor));
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

const anybody = { expected: undefined, actor: Promise.resolve(undefined) };

/** The same question by the same caller: many jobs that poll with one token ask it at once. */
const questionOf = ({ headers, protocol, host, url }: FastifyRequest): string =>
  `${headers.authorization ?? ""}\n${String(headers["x-api-token"])}\n${protocol}://${host}${url}`;

/** What was made of a question, and for whom. */
interface Made<Actor> {
  actor: Actor | undefined;
  text: Promise<string | undefined>;
}

/**
 * Answers a read. For whoever was admitted by this credential before, it is begun while they are being looked at, so that both are
 * one trip to the database; should they have changed in any way, it is thrown away and made again.
 */
async function read<Actor>(
  reads: SharedReads<Made<Actor>>,
  question: string,
  { expected, actor }: Admission<Actor> | typeof anybody,
  make: (actor: Actor | undefined) => Promise<string | undefined>,
): Promise<string | undefined> {
  const makeFor = (whom: Actor | undefined) => async () => {
    const text = make(whom);
    // Failures are answers too, for the one it was made for.
    await text.catch(() => undefined);
    return { actor: whom, text };
  };
  const begun = expected && reads.read(question, makeFor(expected));
  const admitted = await actor;
  const made = await (begun ?? reads.read(question, makeFor(admitted)));
  return made.actor === admitted ? made.text : make(admitted);
}

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

const KEY = new RegExp(`^[\\x21-\\x7e]{1,${limits.idempotencyKeyLength}}$`);
const HOST_REFUSED = "Must be a host name with an optional port";
/** A name or an address with an optional port, and nothing else that a URL may hold. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

function callOf(request: FastifyRequest, route: Route, publicUrl: string | undefined): Omit<Call<unknown>, "actor"> {
  const key = route.idempotent ? request.headers["idempotency-key"] : undefined;
  if (key !== undefined && !KEY.test(String(key)))
    throw fieldError("Idempotency-Key", `1 to ${limits.idempotencyKeyLength} printable characters`);
  const origin = publicUrl ? new URL(publicUrl).origin : originOf(request);
  const url = URL.parse(request.url, origin);
  if (!url) throw fieldError("Host", HOST_REFUSED);
  return { origin, url, ip: request.ip, idempotencyKey: key as string | undefined };
}

/** The service as the caller names it; it goes into links that only the caller gets. */
function originOf({ protocol, host }: FastifyRequest): string {
  if (!HOST.test(host)) throw fieldError("Host", HOST_REFUSED);
  return `${protocol}://${host}`;
}

const fieldError = (field: string, message: string) =>
  new AppError("invalid_request", { fields: [{ field, message }] });

declare module "fastify" {
  interface FastifyContextConfig {
    route?: Route;
  }
}
