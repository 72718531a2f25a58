import type { z } from "zod";
import type { ErrorCode } from "./errors.ts";

/** Every service path sits under it. */
export const basePath = "/cloud";

/**
 * Who may call a route; each word includes what stands before it but for `public`.
 * `signed-in`: any valid token. `user`: has accepted the terms too. `member`: belongs to an organisation. `manager`: manages it.
 */
export type Access = "public" | "signed-in" | "user" | "member" | "manager";

export interface Route {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below `basePath`, with `:name` for parameters. A trailing slash makes no difference to the service. */
  path: string;
  summary: string;
  access: Access;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** 200 when not given. 204 has no body. */
  status?: 200 | 201 | 204;
  reply?: z.ZodType;
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
  body: Input<R["body"]>;
}>;

/** What a handler receives, parsed. */
export interface Received<R extends Route> {
  params: Output<R["params"]>;
  query: Output<R["query"]>;
  body: Output<R["body"]>;
}

/** What a handler gives and a caller gets. */
export type Reply<R extends Route> = R["reply"] extends z.ZodType ? z.output<R["reply"]> : void;
