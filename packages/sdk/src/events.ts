import {
  AppError,
  type Channel,
  eventNames,
  type EventOf,
  isErrorCode,
  socketPath,
  socketReconnect,
} from "@terrarium/contract";
import { io } from "socket.io-client";
import type { ClientOptions } from "./client.ts";
import { wait } from "./persist.ts";

/**
 * What has changed. `connected` comes first, and again after each time that the service was out of reach: what changed meanwhile is not
 * sent, so read what you cache again.
 */
export type ServiceEvent =
  | { channel: "connected"; data: null }
  | { [C in Channel]: { channel: C; data: EventOf<C>["data"] } }[Channel];

/** A reader that is slower than the changes is no longer sent each of them, but asked to read again. */
const MAX_WAITING = 1_000;

/**
 * The changes that whoever has this token may see, as they happen, over reconnections: devices, recipes, images and so on. Ends when the
 * signal aborts or the loop is left.
 * @throws AppError NOT_AUTHENTICATED if the token no longer works; before it has been connected also TOO_MANY_REQUESTS if too many listen
 * with it, and SERVICE_UNAVAILABLE after ten attempts
 */
export async function* watchEvents(
  { baseUrl, apiToken, token }: Pick<ClientOptions, "baseUrl" | "apiToken" | "token">,
  signal?: AbortSignal,
  { connect = io, sleep = wait }: { connect?: typeof io; sleep?: typeof wait } = {},
): AsyncGenerator<ServiceEvent, void, void> {
  const { origin, pathname } = new URL(baseUrl || ".", baseUrl ? undefined : globalThis.location.origin);
  const query = () => (apiToken ? { api_token: apiToken } : { token: `Bearer ${token?.() ?? ""}` });
  const socket = connect(origin, {
    path: pathname.replace(/\/$/, "") + socketPath,
    query: query(),
    transports: ["websocket", "polling"],
    tryAllTransports: true,
    reconnectionDelay: socketReconnect.delayMs,
    reconnectionDelayMax: socketReconnect.delayMs,
    forceNew: true,
  });
  let waiting: ServiceEvent[] = [];
  let refusal: AppError | undefined;
  let hasBeenLive = false;
  let failures = 0;
  const over = new AbortController();
  let wake: () => void = () => undefined;
  const add = (event: ServiceEvent) => {
    if (waiting.length >= MAX_WAITING) waiting = [{ channel: "connected", data: null }];
    waiting.push(event);
    wake();
  };
  // The token may have been renewed since.
  socket.io.on("reconnect_attempt", () => (socket.io.opts.query = query()));
  const connectAgain = () => {
    socket.io.opts.query = query();
    socket.connect();
  };
  socket.on("connect", () => {
    hasBeenLive = true;
    add({ channel: "connected", data: null });
  });
  socket.on("disconnect", (reason) => {
    // Its token may merely have run out. Other losses it mends by itself, and when we leave, it stays so.
    if (reason === "io server disconnect") connectAgain();
  });
  socket.on("connect_error", ({ message, cause }) => {
    // A proxy may swallow the upgrade rather than refuse it. Polling then comes first, and is left when an upgrade succeeds.
    if (message === "timeout") socket.io.opts.transports = ["polling", "websocket"];
    const code = isErrorCode(message) ? message : "SERVICE_UNAVAILABLE";
    const passes = hasBeenLive
      ? code === "SERVICE_UNAVAILABLE" || code === "TOO_MANY_REQUESTS"
      : code === "SERVICE_UNAVAILABLE" && ++failures < socketReconnect.attempts;
    if (!passes) {
      refusal = new AppError(code, { cause });
      wake();
    } else if (!socket.active) sleep(socketReconnect.delayMs, over.signal).then(connectAgain, () => undefined);
  });
  for (const channel of Object.keys(eventNames) as Channel[])
    socket.on(eventNames[channel], ({ data }: EventOf<Channel>) => add({ channel, data } as ServiceEvent));
  const stop = () => wake();
  signal?.addEventListener("abort", stop);
  try {
    while (!signal?.aborted) {
      const event = waiting.shift();
      if (event) yield event;
      else if (refusal) throw refusal;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    signal?.removeEventListener("abort", stop);
    over.abort();
    socket.disconnect();
  }
}
