import type { Clock } from "@terrarium/clock";
import { isFinal } from "../final-refusal.ts";

/** Between attempts to connect. */
const RETRY_MS = 3_000;

export interface FeedDeps {
  url: string;
  clock: Clock;
  /** Rejects with `AppError`. */
  accessToken: (signal: AbortSignal) => Promise<string>;
  openSocket: (url: string) => WebSocket;
  decode: (unit: Uint8Array) => Promise<ImageBitmap>;
}

/**
 * Receives the miniature of one device until the signal aborts: connects, asks for the next picture when the last has been shown, and
 * connects again. It resolves when the service refuses a token for good: a socket closes alike for a device that is over and a server that stops.
 */
export async function receiveMiniature(
  deps: FeedDeps,
  show: (picture: ImageBitmap) => void,
  signal: AbortSignal,
): Promise<void> {
  const { clock, accessToken } = deps;
  while (!signal.aborted) {
    try {
      const token = await accessToken(signal);
      signal.throwIfAborted();
      await connection(deps, token, show, signal);
    } catch (error) {
      if (isFinal(error)) return;
    }
    await clock.sleep(RETRY_MS, signal).catch(() => undefined);
  }
}

/** One socket, until it closes. */
function connection(
  { url, openSocket, decode }: FeedDeps,
  token: string,
  show: (picture: ImageBitmap) => void,
  signal: AbortSignal,
): Promise<void> {
  const socket = openSocket(url);
  socket.binaryType = "arraybuffer";
  const next = () => {
    if (!signal.aborted && socket.readyState === WebSocket.OPEN) socket.send("next");
  };
  const take = async (unit: Uint8Array) => {
    // One that cannot be shown is passed over.
    const picture = await decode(unit).catch(() => undefined);
    if (signal.aborted) picture?.close();
    else if (picture) show(picture);
    next();
  };
  socket.addEventListener("open", () => {
    socket.send(JSON.stringify({ type: "token", token }));
    next();
  });
  socket.addEventListener("message", ({ data }) => void take(new Uint8Array(data as ArrayBuffer)));
  const leave = () => socket.close();
  signal.addEventListener("abort", leave, { once: true });
  return new Promise((resolve) =>
    socket.addEventListener("close", () => {
      signal.removeEventListener("abort", leave);
      resolve();
    }),
  );
}
