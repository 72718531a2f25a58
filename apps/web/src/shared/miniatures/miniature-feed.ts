import type { Clock } from "@terrarium/clock";
import { isFinal } from "@terrarium/sdk/display";

/** Between attempts to connect. */
const RETRY_MS = 3_000;
/** When the maximum of viewers is reached: each attempt takes a token, of which there are only so many. */
const NO_ROOM_MS = 20_000;
/** A socket's code for that. */
const NO_ROOM = 1013;

/** Where pictures are received, and the token for it. */
interface FeedAccess {
  url: string;
  token: string;
}

export interface FeedDeps {
  clock: Clock;
  /** Rejects with `AppError`. */
  access: (signal: AbortSignal) => Promise<FeedAccess>;
  openSocket: (url: string) => WebSocket;
  decode: (unit: Uint8Array) => Promise<ImageBitmap>;
  /** Called with each socket once it is open, and with the code with which it has closed. */
  onOpen?: (socket: WebSocket) => void;
  onClose?: (code: number) => void;
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
  const { clock, access } = deps;
  while (!signal.aborted) {
    let wait = RETRY_MS;
    try {
      const given = await access(signal);
      signal.throwIfAborted();
      if ((await connection(deps, given, show, signal)) === NO_ROOM) wait = NO_ROOM_MS;
    } catch (error) {
      if (isFinal(error)) return;
    }
    await clock.sleep(wait, signal).catch(() => undefined);
  }
}

/** One socket, until it closes; returns its code. */
function connection(
  { openSocket, decode, onOpen, onClose }: FeedDeps,
  { url, token }: FeedAccess,
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
    onOpen?.(socket);
  });
  socket.addEventListener("message", ({ data }) => void take(new Uint8Array(data as ArrayBuffer)));
  const leave = () => socket.close();
  signal.addEventListener("abort", leave, { once: true });
  return new Promise((resolve) =>
    socket.addEventListener("close", ({ code }) => {
      signal.removeEventListener("abort", leave);
      onClose?.(code);
      resolve(code);
    }),
  );
}
