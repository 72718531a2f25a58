import type { AdbLink, ByteStream } from "@terrarium/adb";
import type { Clock } from "@terrarium/clock";
import { type ServerOptions, serverCommand, socketName } from "@terrarium/scrcpy";
import { randomInt } from "node:crypto";
import type { Logger } from "../../platform/log.ts";
import { openSession } from "./open-session.ts";
import { ScrcpySession } from "./scrcpy-session.ts";

/** The server starts listening a moment after its command; until then connections are refused or closed at once. */
const RETRY_MS = 100;
/** A viewer's screen shows as many a second; who asks for none in particular gets fewer from a simulated device. */
const VIEWER_FPS = 60;
/** Enough to show what went wrong. */
const MAX_LOGGED_CHARS = 2_000;

/** The part of an adb link that is used here. */
export type ScrcpyLink = Pick<AdbLink, "openLocalAbstract" | "spawn">;

export interface ScrcpyDeps {
  clock: Clock;
  log: Logger;
  /** Cancels the opening; has no effect once the session is open. */
  signal: AbortSignal;
  /** Identifies the session on its device; random unless a test sets it. */
  scid?: number;
  options?: Partial<ServerOptions> | undefined;
}

/**
 * Starts the scrcpy server on the device and connects to it; resolves when the size of the video is known. The server's file
 * must already be on the device (push-server.ts). Rejects with the signal's reason, with `ScrcpyError` when the device breaks the protocol,
 * or with what ended the server; everything is cleaned up by then.
 */
export async function openScrcpy(link: ScrcpyLink, deps: ScrcpyDeps): Promise<ScrcpySession> {
  const { clock, log, scid = randomInt(0x7fffffff) } = deps;
  return openSession(deps, async ({ over, cleanup, signal }) => {
    // Server
    const options: Partial<ServerOptions> = {
      scid,
      logLevel: "info",
      maxFps: VIEWER_FPS,
      audio: false,
      tunnelForward: true,
      ...deps.options,
    };
    const server = await link.spawn(serverCommand(options), { signal: deps.signal });
    cleanup.add(() => server.kill());
    logOutput(server.stdout, log);
    logOutput(server.stderr, log);
    server.exit.then(
      (code) => over.abort(new Error(`the scrcpy server ended with code ${code}`)),
      (error: unknown) => over.abort(new Error("the scrcpy server ended", { cause: error })),
    );

    // Sockets, in the order in which it accepts them
    const { video, first } = await connectVideo(link, socketName(scid), clock, signal);
    cleanup.add(() => video.close());
    const audio = options.audio ? await link.openLocalAbstract(socketName(scid), signal) : undefined;
    cleanup.add(() => audio?.close());
    const control = options.control === false ? undefined : await link.openLocalAbstract(socketName(scid), signal);
    cleanup.add(() => control?.close());

    return new ScrcpySession({ video, first, audio, control, over, cleanup, clock, log });
  });
}

/** Retries until the server is up. Only its first byte proves that: adb also accepts connections that nobody answers. */
async function connectVideo(
  link: ScrcpyLink,
  name: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<{ video: ByteStream; first: Uint8Array }> {
  for (;;) {
    const video = await link.openLocalAbstract(name, signal).catch(() => undefined);
    const first = video && (await firstBytes(video, signal));
    if (video && first) return { video, first };
    video?.close();
    signal.throwIfAborted();
    await clock.sleep(RETRY_MS, signal);
  }
}

async function firstBytes(stream: ByteStream, signal: AbortSignal): Promise<Uint8Array | undefined> {
  const stop = () => stream.close();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await stream.read();
  } catch {
    return undefined;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Logs the server's output, shortened. It has to be read in any case, or the server stalls. */
function logOutput(output: AsyncIterable<Uint8Array>, log: Logger): void {
  const read = async (): Promise<void> => {
    for await (const chunk of output)
      log.debug({ output: Buffer.from(chunk).toString("utf8").slice(0, MAX_LOGGED_CHARS) }, "scrcpy server");
  };
  // The exit code reports its end.
  read().catch(() => undefined);
}
