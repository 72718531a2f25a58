import { type Clock } from "@terrarium/clock";
import { AppError, type InstalledApp, isErrorCode } from "@terrarium/contract";

/** One message. Small enough that it shows how far a file is, and large enough that asking for the next one costs little. */
const PART_BYTES = 1024 * 1024;
/** Between attempts to come back, and for how long a device waits for the rest of a file. */
const RETRY_MS = 1_000;
const GIVE_UP_MS = 60_000;

/** How the service closes the socket where it would do so again. */
const finalCodes: ReadonlyMap<number, ConstructorParameters<typeof AppError>[0]> = new Map([
  [1008, "INSTANCE_NOT_ALLOWED"],
  [4242, "INSTANCE_NOT_ALLOWED"],
  [4244, "INSTANCE_ENDED"],
]);

export interface FileUpload {
  /** The device's `file_upload_url`. */
  url: string;
  /** Gives an access token of the device; called for each connection. */
  token: (signal: AbortSignal) => Promise<string>;
  file: File;
  /** Where on the device it is to be, as it is. */
  folder?: string | undefined;
  signal: AbortSignal;
  /** Called with how many bytes have arrived. */
  onProgress: (sent: number) => void;
  /** Called when the connection is lost and when it is back. */
  onLost: (isLost: boolean) => void;
  clock: Clock;
  open?: (url: string) => WebSocket;
}

type Answer = {
  code?: string;
  offset?: number;
  app?: InstalledApp;
  error?: { code?: unknown; details?: Record<string, string> };
};
type Ending = { result: InstalledApp | undefined } | { error: unknown } | "lost";

/**
 * Brings a device a file: an APK is installed, and the app returned; any other goes to its Download folder. Goes on where it was if the
 * connection is lost for less than a minute.
 * @throws AppError; the reason of the signal
 */
export async function uploadFile(upload: FileUpload): Promise<InstalledApp | undefined> {
  const { signal, clock, token, onLost } = upload;
  const id = crypto.randomUUID();
  let heardAt = clock.monotonic();
  for (;;) {
    const ending = await token(signal).then(
      (access) => carry(upload, id, access, () => (heardAt = clock.monotonic())),
      (error: unknown): Ending => (error instanceof AppError && error.status < 500 ? { error } : "lost"),
    );
    signal.throwIfAborted();
    if (typeof ending === "object" && "error" in ending) throw ending.error;
    if (typeof ending === "object") return ending.result;
    if (clock.monotonic() - heardAt > GIVE_UP_MS) throw new AppError("SERVICE_UNAVAILABLE");
    onLost(true);
    await clock.sleep(RETRY_MS, signal);
  }
}

/** Uses one socket until it closes or the file is there. */
function carry(
  { url, file, folder, signal, onProgress, onLost, open }: FileUpload,
  id: string,
  token: string,
  heard: () => void,
): Promise<Ending> {
  const { promise, resolve } = Promise.withResolvers<Ending>();
  const socket = open?.(url) ?? new WebSocket(url);
  const done = new AbortController();
  const say = (message: object) => socket.send(JSON.stringify(message));
  const end = (ending: Ending) => {
    done.abort();
    resolve(ending);
    socket.close();
  };
  const listen = <Type extends "open" | "message" | "close">(
    type: Type,
    act: (event: WebSocketEventMap[Type]) => void,
  ) => socket.addEventListener(type, act, { signal: done.signal });
  listen("open", () => {
    say({ type: "token", token });
    say({ type: "FILE_UPLOAD", name: file.name, size: file.size, id, folder });
  });
  listen("message", ({ data }) => {
    heard();
    const { code, offset = 0, app, error } = JSON.parse(String(data)) as Answer;
    if (code === "SUCCESS") return end({ result: app });
    if (code === "FAIL")
      return end({
        error: new AppError(isErrorCode(error?.code) ? error.code : "SERVICE_UNAVAILABLE", { details: error?.details }),
      });
    if (code !== "NEXT") return;
    onLost(false);
    onProgress(offset);
    if (offset < file.size) socket.send(file.slice(offset, offset + PART_BYTES));
  });
  listen("close", ({ code }) => {
    const final = finalCodes.get(code);
    end(final ? { error: new AppError(final) } : "lost");
  });
  signal.addEventListener(
    "abort",
    () => {
      if (socket.readyState === 1) say({ type: "FILE_UPLOAD", cancel: true });
      end("lost");
    },
    { signal: done.signal },
  );
  if (signal.aborted) end("lost");
  return promise;
}
