import type { Clock } from "@terrarium/clock";
import { isFinal } from "../final-refusal.ts";

/** Between attempts to connect. */
const RETRY_MS = 3_000;
/** The close code for a device that is over, or a server that stops. */
const SHUTDOWN = 4244;

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
 * connects again. It resolves when the service says that there is nothing to come back to.
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
      if ((await connection(deps, token, show, signal)) === SHUTDOWN) return;
    } catch (error) {
      if (isFinal(error)) return;
    }
    await clock.sleep(RETRY_MS, signal).catch(() => undefined);
  }
}

/** One socket, until it closes; resolves with the code. */
function connection(
  { url, openSocket, decode }: FeedDeps,
  token: string,
  show: (picture: ImageBitmap) => void,
  signal: AbortSignal,
): Promise<number> {
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
    socket.addEventListener("close", ({ code }) => {
      signal.removeEventListener("abort", leave);
      resolve(code);
    }),
  );
}
