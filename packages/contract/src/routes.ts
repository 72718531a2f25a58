import type { z } from "zod";
import type { ErrorCode } from "./errors.ts";
import {
  type Body,
  type GivenReply,
  type GottenReply,
  isJson,
  type ReceivedBody,
  type ReplyKind,
  type SentBody,
} from "./payloads.ts";

/** Every service path sits under it. */
export const basePath = "/cloud";

/**
 * Who may call a route; each word includes what stands before it but for `public`.
 * `signed-in`: any valid token. `user`: has accepted the terms too. `member`: belongs to an organisation. `manager`: manages it.
 */
export type Access = "public" | "signed-in" | "user" | "member" | "manager";

export interface Route {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below `basePath`, with `:name` for parameters. A trailing slash makes no difference to the service. */
  path: string;
  summary: string;
  access: Access;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Headers of its own, by their names in lower case: the signature of a webhook. */
  headers?: z.ZodObject;
  /** JSON by its schema, or one of the other kinds. */
  body?: Body;
  /** The largest body that is JSON or raw; `limits.bodyBytes` when not given. */
  maxBodyBytes?: number;
  /** 200 when not given. 204 has no body, and a redirect has a status of its own. */
  status?: 200 | 201 | 204;
  /** JSON by its schema, or one of the other kinds. */
  reply?: ReplyKind;
  fails?: readonly ErrorCode[];
  /** Takes an `Idempotency-Key` header: a repeated call answers what the first one did. */
  idempotent?: boolean;
}

/** Keeps the literal types of a table of routes. */
export const routes = <const Table extends Record<string, Route>>(table: Table): Table => table;

type Input<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined;
type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
type Given<Value> = { [Key in keyof Value as Value[Key] extends undefined ? never : Key]: Value[Key] };

/** What a caller sends. */
export type Sent<R extends Route> = Given<{
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

/** What a handler gives. */
export type Answer<R extends Route> = GivenReply<R["reply"]>;

/** What a caller gets. */
export type Reply<R extends Route> = GottenReply<R["reply"]>;

/** What is known of a route where it is called: its schemas stay with the service, so that a browser does not load them. */
export interface WireRoute {
  method: Route["method"];
  path: string;
  /** `form`, or the media type of a raw body; JSON when not given. */
  sends?: string;
  /** JSON, or nothing, when not given. */
  gives?: "bytes" | "redirect";
}

export function wireOf({ method, path, body, reply }: Route): WireRoute {
  return {
    method,
    path,
    ...(body && !isJson(body) ? { sends: body.kind === "raw" ? body.types[0] : "form" } : {}),
    ...(reply && !isJson(reply) ? { gives: reply.kind } : {}),
  };
}
