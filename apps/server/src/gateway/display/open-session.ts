import type { Clock } from "@terrarium/clock";
import { Cleanup } from "../../platform/clean-up.ts";
import type { ScrcpySession } from "./scrcpy-session.ts";

/** How long a screen may take until it announces its video. */
const START_TIMEOUT_MS = 10_000;

/** What a session is made with. */
export interface Opening {
  /** Aborts when what shows the screen is over. */
  over: AbortController;
  /** Runs when the session closes. */
  cleanup: Cleanup;
  /** Aborts when the opening is called off, takes too long, or what shows the screen is over. */
  signal: AbortSignal;
}

/**
 * Opens a session; resolves when the size of the video is known. Rejects with the signal's reason, or with what went wrong; everything is
 * cleaned up by then.
 */
export async function openSession(
  { clock, signal }: { clock: Clock; signal: AbortSignal },
  open: (opening: Opening) => Promise<ScrcpySession>,
): Promise<ScrcpySession> {
  const cleanup = new Cleanup();
  const over = new AbortController();
  const started = new AbortController();
  const starting = AbortSignal.any([signal, over.signal]);
  clock.sleep(START_TIMEOUT_MS, started.signal).then(
    () => over.abort(new Error(`the screen did not start in ${START_TIMEOUT_MS} ms`)),
    () => undefined,
  );
  try {
    const session = await open({ over, cleanup, signal: starting });
    await session.started(starting);
    return session;
  } catch (error) {
    over.abort(error);
    await cleanup.run();
    throw error;
  } finally {
    started.abort();
  }
}
