import {
  AppError,
  basePath,
  wire,
  type Contract,
  isErrorCode,
  type Reply,
  type Route,
  type Sent,
} from "@terrarium/contract";

/** The header in which the service hands a fresh token to whoever uses one that grows old. */
const RENEWED_TOKEN = "x-renewed-token";

export interface ClientOptions {
  /** Where the service is, without `/cloud`; empty for the page's own origin. */
  baseUrl?: string;
  /** A signed-in person's token, asked for at each call. */
  token?(): string | undefined;
  /** An API token; used instead of `token`. */
  apiToken?: string;
  /** A renewed token came; it replaces the one in use. */
  onToken?(token: string): void;
  /** Any answer that is an error, before it is thrown. */
  onError?(error: AppError, route: Sending): void;
  fetch?: typeof fetch;
}

/** What is known of a route when it is called: its schemas stay with the service, so that a browser does not load them. */
export type Sending = Pick<Route, "method" | "path">;

interface CallOptions {
  signal?: AbortSignal;
  /** Makes a repeated call answer what the first did; for routes that take it. */
  idempotencyKey?: string;
}

type Call<R extends Route> = keyof Sent<R> extends never
  ? (sent?: Record<string, never>, options?: CallOptions) => Promise<Reply<R>>
  : (sent: Sent<R>, options?: CallOptions) => Promise<Reply<R>>;

export type Client = {
  [Noun in keyof Contract]: {
    [Verb in keyof Contract[Noun]]: Contract[Noun][Verb] extends Route ? Call<Contract[Noun][Verb]> : never;
  };
};

/** A function for each route of the contract; each throws `AppError` with the service's own code. */
export function createClient(options: ClientOptions = {}): Client {
  const nouns = Object.entries(wire).map(([noun, table]) => [
    noun,
    Object.fromEntries(
      Object.entries(table).map(([verb, route]) => [
        verb,
        (sent: Partial<Record<"params" | "query" | "body", Record<string, unknown>>> = {}, call: CallOptions = {}) =>
          send(route, sent, call, options),
      ]),
    ),
  ]);
  return Object.fromEntries(nouns) as Client;
}

async function send(
  route: Sending,
  sent: Partial<Record<"params" | "query" | "body", Record<string, unknown>>>,
  call: CallOptions,
  options: ClientOptions,
): Promise<unknown> {
  const headers = new Headers({ accept: "application/json" });
  const token = options.token?.();
  if (options.apiToken) headers.set("x-api-token", options.apiToken);
  else if (token) headers.set("authorization", `Bearer ${token}`);
  if (call.idempotencyKey) headers.set("idempotency-key", call.idempotencyKey);
  if (sent.body) headers.set("content-type", "application/json");

  const response = await request(options.fetch ?? fetch, (options.baseUrl ?? "") + addressOf(route, sent), {
    method: route.method,
    headers,
    body: sent.body ? JSON.stringify(sent.body) : undefined,
    signal: call.signal,
  });
  const renewed = response.headers.get(RENEWED_TOKEN);
  if (renewed) options.onToken?.(renewed);
  if (response.ok) return response.status === 204 ? undefined : response.json();

  const error = await errorOf(response);
  options.onError?.(error, route);
  throw error;
}

function addressOf(
  route: Sending,
  { params = {}, query = {} }: { params?: Record<string, unknown>; query?: Record<string, unknown> },
): string {
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
    // A call that its caller gave up is not a failure of the service.
    if (init.signal?.aborted) throw error;
    throw new AppError("SERVICE_UNAVAILABLE", { cause: error });
  }
}

async function errorOf(response: Response): Promise<AppError> {
  const body: unknown = await response.json().catch(() => undefined);
  const { code, message, fields, request_id } = (body ?? {}) as Record<string, never>;
  if (isErrorCode(code)) return new AppError(code, { message, fields, requestId: request_id });
  return new AppError(response.status >= 502 ? "SERVICE_UNAVAILABLE" : "INTERNAL_ERROR", {
    facts: { status: response.status },
  });
}
