import type { z } from "zod";
import type { AuditAction } from "./audit-actions.ts";
import type { ErrorCode } from "./errors.ts";
import {
  type Body,
  type ReturnedReply,
  type ReceivedReply,
  isJson,
  type ReceivedBody,
  type ReplyKind,
  type SentBody,
} from "./payloads.ts";
import type { Scope } from "./scopes.ts";

/** The prefix of every path of the service. */
export const basePath = "/cloud";

/**
 * Who may call a route. `public`: anyone. `signed-in`: any valid token. `user`: has also accepted the terms. `member`: also belongs to
 * an organization. `manager`: also manages it. `operator`: runs the service, signed in by a session; to anybody else the route is not there.
 * Operators may use nothing of a customer: of the others, only `public` and `signed-in`.
 */
export type Access = "public" | "signed-in" | "user" | "member" | "manager" | "operator";

/** What a call that succeeds leaves in the audit log: one or more of these actions, or the reason why it leaves none. */
export type Audited = readonly [AuditAction, ...AuditAction[]] | { none: string };

/** A route. One whose method may change something does not compile without `audit`. */
export type Route = RouteBase & ({ method: "GET"; audit?: Audited } | { method: ChangingMethod; audit: Audited });

type ChangingMethod = "POST" | "PUT" | "PATCH" | "DELETE";

interface RouteBase {
  /** Relative to `basePath`, with `:name` for parameters. The server ignores a trailing slash in requests. */
  path: string;
  summary: string;
  access: Access;
  /** The least scope of an API token that may call it, where it is not the one that `scopeOf` finds. */
  scope?: Scope;
  /** The message for whoever lacks the rights, in place of that of FORBIDDEN. */
  forbidden?: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Headers that the handler reads, with lower-case names, such as the signature of a webhook. */
  headers?: z.ZodObject;
  /** A schema for JSON, or one of the other kinds. */
  body?: Body;
  /** The limit for a body that is no form; `limits.bodyBytes` by default. */
  maxBodyBytes?: number;
  /** 200 by default. 204 has no body. A redirect has its own status. */
  status?: 200 | 201 | 204;
  /** A schema for JSON, or one of the other kinds. */
  reply?: ReplyKind;
  /** Error codes besides those that the other properties imply. */
  fails?: readonly ErrorCode[];
  /**
   * The call carries a password, a code or a mailed link instead of a token. Browsers may make it only from the service's own pages and
   * from origins that the operator allows; any other origin is refused with ORIGIN_NOT_ALLOWED. Calls without an `Origin` header do not
   * come from a page, and are answered.
   */
  ownPagesOnly?: boolean;
  /**
   * Besides these, pages of origins that an organization allows may call it: to sign its members in, or to show its devices. The handler
   * gets the page's origin (`pageOrigin`), and must treat accounts of anybody else as unknown, and refuse devices of others.
   */
  organizationPages?: "sign-in" | "embed";
  /** Accepts an `Idempotency-Key` header: a request that repeats a key gets the reply of the first. */
  idempotent?: boolean;
}

/** Checks a table of routes and preserves its literal types. The browser loads none that it does not use. */
export const routes = /* @__NO_SIDE_EFFECTS__ */ <const Table extends Record<string, Route>>(table: Table): Table =>
  table;

type Input<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined;
type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
type Defined<Value> = { [Key in keyof Value as Value[Key] extends undefined ? never : Key]: Value[Key] };

/** What a client sends. */
export type Sent<R extends Route> = Defined<{
  params: Input<R["params"]>;
  query: Input<R["query"]>;
  headers: Input<R["headers"]>;
  body: SentBody<R["body"]>;
}>;

/** What a handler receives, parsed. */
export interface Received<R extends Route> {
  params: Output<R["params"]>;
  query: Output<R["query"]>;
  headers: Output<R["headers"]>;
  body: ReceivedBody<R["body"]>;
}

/** What a handler returns. */
export type Answer<R extends Route> = ReturnedReply<R["reply"]>;

/** What a client gets. */
export type Reply<R extends Route> = ReceivedReply<R["reply"]>;

/** A route as clients know it: without schemas, so that browsers need not load them. */
export interface WireRoute {
  method: Route["method"];
  path: string;
  /** `form`, or the media type of a raw or streamed body; JSON by default. */
  sends?: string;
  /** JSON or nothing by default. */
  receives?: "bytes" | "redirect";
  /** See `RouteBase`. */
  idempotent?: true;
  /** It only reads by its method: what names `audit` does something, which a repeated call might do again. */
  once?: true;
}

/** What clients need to know of a route. */
export function wireOf({ method, path, body, reply, idempotent, audit }: Route): WireRoute {
  return {
    method,
    path,
    ...(body && !isJson(body) ? { sends: body.kind === "form" ? "form" : body.types[0] } : {}),
    ...(reply && !isJson(reply) ? { receives: reply.kind } : {}),
    ...(idempotent ? { idempotent } : {}),
    ...(method === "GET" && audit ? { once: true } : {}),
  };
}
