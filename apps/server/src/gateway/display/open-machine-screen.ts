import { abortable } from "@terrarium/clock";
import type { Machine } from "@terrarium/runtime";
import type { ScrcpyDeps } from "./open-scrcpy.ts";
import { openSession } from "./open-session.ts";
import { ScrcpySession } from "./scrcpy-session.ts";

/** Opens the picture that a machine has by itself. Rejects as `openScrcpy` does. */
export async function openMachineScreen(
  openScreen: NonNullable<Machine["openScreen"]>,
  { clock, log, signal, options = {} }: ScrcpyDeps,
): Promise<ScrcpySession> {
  signal.throwIfAborted();
  return openSession({ clock, signal }, async ({ over, cleanup, signal: starting }) => {
    const pipe = openScreen(options);
    cleanup.add(() => pipe.close());
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
    const first = await abortable(pipe.read(), starting);
    if (!first) throw new Error("the machine does not show its screen");
    return new ScrcpySession({ video: pipe, first, control, over, cleanup, isFixed: true, clock, log });
  });
}
