import { abortable, within } from "@terrarium/clock";
import type { Machine } from "@terrarium/runtime";
import { Cleanup } from "../../platform/clean-up.ts";
import type { ScrcpyDeps } from "./open-scrcpy.ts";
import { ScrcpySession } from "./scrcpy-session.ts";

const START_TIMEOUT_MS = 10_000;

/** Opens the picture that a machine has by itself. Rejects as `openScrcpy` does. */
export async function openMachineScreen(
  openScreen: NonNullable<Machine["openScreen"]>,
  { clock, log, signal, options = {} }: ScrcpyDeps,
): Promise<ScrcpySession> {
  signal.throwIfAborted();
  const pipe = openScreen(options);
  const cleanup = new Cleanup();
  cleanup.add(() => pipe.close());
  const over = new AbortController();
  const control = {
    write: async (bytes: Uint8Array) => pipe.write(bytes),
    // It says nothing of its own, such as what was copied.
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        await pipe.closed;
        return { done: true as const, value: undefined };
      },
    }),
  };
  try {
    return await within(START_TIMEOUT_MS, clock, signal, async (limited) => {
      const first = await abortable(pipe.read(), limited);
      if (!first) throw new Error("the machine does not show its screen");
      const session = new ScrcpySession({ video: pipe, first, control, over, cleanup, isFixed: true, clock, log });
      await session.started(limited);
      return session;
    });
  } catch (error) {
    over.abort(error);
    await cleanup.run();
    throw error;
  }
}
