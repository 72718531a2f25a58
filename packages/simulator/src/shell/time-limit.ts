import { createContext, Script } from "node:vm";

/** Far more than any expression that was meant takes for a piece of input. */
const MAX_MS = 250;

const call = new Script("act()");
const context = createContext({ act: undefined as unknown });

/** Time that the processor has worked for this thread: a process that has to wait for it is not at fault. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Runs code that cannot be interrupted from within, such as the matching of a regular expression that somebody typed, and interrupts it
 * once it has used a quarter of a second of the processor. `act` may be run several times, on a busy machine, so it must have no effect
 * but its result. Returns that, or undefined if it was interrupted. Each call costs about 0.1 ms.
 */
export function withTimeLimit<Result extends {}>(act: () => Result): Result | undefined {
  context.act = act;
  const begunMs = processorMs();
  try {
    do
      try {
        return call.runInContext(context, { timeout: MAX_MS }) as Result;
      } catch (error) {
        if ((error as { code?: unknown } | undefined)?.code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      }
    while (processorMs() - begunMs < MAX_MS);
    return undefined;
  } finally {
    context.act = undefined;
  }
}
