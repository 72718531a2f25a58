import {
  AppError,
  basePath,
  type Contract,
  type Reply,
  type Route,
  type Sent,
  wire,
  type WireRoute,
} from "@terrarium/contract";
import { type Parts, payloadOf, readReply } from "./payloads.ts";
import { errorOf } from "./errors.ts";
import { newKey, persist, wait } from "./persist.ts";

/** The response header with a new token, which the server sends when the one in use gets old. */
const RENEWED_TOKEN = "x-renewed-token";

export interface ClientOptions {
  /** The address of the service, without `/cloud`; empty for the page's own origin. */
  baseUrl?: string;
  /** The token of the signed-in user; called for each request. */
  token?(): string | undefined;
  /** An API token; used instead of `token`. */
  apiToken?: string;
  /** Called with a renewed token, which replaces the one that was sent. The former one works for another minute. */
  onToken?(token: string, sent: string | undefined): void;
  /** Called with what time it was at the service when it replied, to the second: milliseconds since 1970. */
  onTime?(time: number): void;
  /**
   * Called with each error response before it is thrown, and the token of the request. A 401 is reported as NOT_AUTHENTICATED even if a
   * proxy sent it.
   */
  onError?(error: AppError, route: WireRoute, sent: string | undefined): void;
  fetch?: typeof fetch;
  /**
   * How often a call is repeated that the service could not be reached for, or that came too early; 2 by default. Only those are that can
   * do nothing twice: what only reads, and what takes an idempotency key, which then is made up where none is given.
   */
  retries?: number;
  /** Waits before a call is repeated; rejects if the signal aborts. */
  sleep?(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

export interface CallOptions {
  signal?: AbortSignal;
  /** A call that repeats a key gets the reply of the first; for routes that support it. */
  idempotencyKey?: string;
  /** In place of the client's. */
  retries?: number;
}

type Nouns = Record<string, Record<string, Route>>;

type Call<R extends Route> = keyof Sent<R> extends never
  ? (sent?: Record<string, never>, options?: CallOptions) => Promise<Reply<R>>
  : (sent: Sent<R>, options?: CallOptions) => Promise<Reply<R>>;

export type ClientOf<Table extends Nouns> = {
  [Noun in keyof Table]: { [Verb in keyof Table[Noun]]: Call<Table[Noun][Verb]> };
};
export type Client = ClientOf<Contract>;

/** The routes of a contract, as clients know them. */
export type WireOf<Table extends Nouns> = {
  [Noun in keyof Table]: { [Verb in keyof Table[Noun]]: WireRoute };
};

/**
 * A client with a function for each route of the service. A function for a reply of bytes returns the `Response` with its body unread; one
 * for a redirect returns the target and does not follow it.
 * @throws AppError (each function) with the server's code, or SERVICE_UNAVAILABLE if it cannot be reached; the reason of the signal
 */
export const createClient = (options: ClientOptions = {}): Client => clientOf<Contract>(wire, options);

/** Like `createClient`, for any contract. */
export function clientOf<Table extends Nouns>(routes: WireOf<Table>, options: ClientOptions = {}): ClientOf<Table> {
  const nouns = Object.entries<Record<string, WireRoute>>(routes).map(([noun, table]) => [
    noun,
    Object.fromEntries(
      Object.entries(table).map(([verb, route]) => [
        verb,
        (sent: Parts = {}, call: CallOptions = {}) => send(route, sent, call, options),
      ]),
    ),
  ]);
  return Object.fromEntries(nouns) as ClientOf<Table>;
}

async function send(route: WireRoute, sent: Parts, call: CallOptions, options: ClientOptions): Promise<unknown> {
  const headers = new Headers({ accept: route.receives === "bytes" ? "*/*" : "application/json" });
  for (const [name, value] of Object.entries(sent.headers ?? {})) if (value !== undefined) headers.set(name, value);
  const token = options.token?.();
  if (options.apiToken) headers.set("x-api-token", options.apiToken);
  // A call may be made with a token of its own.
  else if (token && !headers.has("authorization")) headers.set("authorization", `Bearer ${token}`);
  const { sleep = wait } = options;
  const retries = call.retries ?? options.retries ?? 2;
  const key = call.idempotencyKey ?? (route.idempotent && retries > 0 ? newKey() : undefined);
  if (key) headers.set("idempotency-key", key);
  const { type, body } = payloadOf(route, sent.body);
  if (type) headers.set("content-type", type);

  const url = (options.baseUrl ?? "") + addressOf(route, sent);
  const ask = () => request(options.fetch ?? fetch, url, { method: route.method, headers, body, signal: call.signal });
  const attempts = (route.method === "GET" && !route.once) || route.idempotent ? 1 + retries : 1;
  const response = await persist(ask, attempts, (ms) => sleep(ms, call.signal));
  const time = Date.parse(response.headers.get("date") ?? "");
  if (Number.isFinite(time)) options.onTime?.(time);
  const renewed = response.headers.get(RENEWED_TOKEN);
  if (renewed) options.onToken?.(renewed, token);
  if (response.ok) return readReply(route, response);

  const error = await errorOf(response);
  options.onError?.(error, route, token);
  throw error;
}

function addressOf(route: WireRoute, { params = {}, query = {} }: Parts): string {
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined) search.append(name, String(item));
  }
  return basePath + path + (search.size > 0 ? `?${search}` : "");
}

async function request(send: typeof fetch, url: string, init: RequestInit): Promise<Response> {
  try {
    return await send(url, init);
  } catch (error) {
    // The caller aborted: not a failure of the service.
    if (init.signal?.aborted) throw error;
    throw new AppError("SERVICE_UNAVAILABLE", { cause: error });
  }
}
