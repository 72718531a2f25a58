import type { Clock } from "@terrarium/clock";
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Logger } from "../platform/log.ts";

/** The delay before the restart of one that lived for less than a minute, so that a gateway that keeps crashing does not occupy a core. */
const RESTART_MS = 1_000;
const STEADY_MS = 60_000;

/** How long it may take to stop. It gives up on a device's machine, and on a runtime, sooner than this. */
const STOP_TIMEOUT_MS = 25_000;

/** The message from the server to its gateway process. */
export interface StopMessage {
  stop: { endDevices: boolean };
}

export interface GatewayProcess {
  /** Stops it and waits for its end; see `GatewayRole.stop`. It is killed if it has not ended after 25 s. */
  stop(message: StopMessage["stop"]): Promise<void>;
}

/**
 * Runs the gateway as a separate process, so that video never delays API requests, and restarts it when it dies. It stops when this
 * process ends, in whatever way. Resolves when the gateway is ready.
 * @throws Error if the gateway ends before it was ever ready; it is not restarted then
 */
export async function startGatewayProcess(
  program: string,
  env: Record<string, string | undefined>,
  deps: { clock: Clock; log: Logger },
): Promise<GatewayProcess> {
  const end = new AbortController();
  const ready = Promise.withResolvers<void>();
  let isReady = false;
  let child: ChildProcess | undefined;
  let hasStopped = false;

  const runOnce = async (): Promise<[code: number | null, signal: string | null]> => {
    child = fork(program, { env, execArgv: [], stdio: ["ignore", "inherit", "inherit", "ipc"] });
    child.once("message", () => {
      isReady = true;
      ready.resolve();
    });
    const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
    hasStopped = code === 0;
    return [code, signal];
  };
  const run = async (): Promise<void> => {
    while (!end.signal.aborted) {
      const began = deps.clock.monotonic();
      const [code, signal] = await runOnce();
      if (end.signal.aborted) return;
      if (!isReady) throw new Error(`The gateway could not start (exit ${code ?? signal}).`);
      deps.log.error({ code, signal }, "the gateway ended; starting it again");
      if (deps.clock.monotonic() - began < STEADY_MS)
        await deps.clock.sleep(RESTART_MS, end.signal).catch(() => undefined);
    }
  };
  const running = run();
  await Promise.race([ready.promise, running]);
  return {
    async stop(message) {
      end.abort();
      const hasEnded = new AbortController();
      let isLate = false;
      deps.clock.sleep(STOP_TIMEOUT_MS, hasEnded.signal).then(
        () => {
          isLate = true;
          deps.log.error({ timeoutMs: STOP_TIMEOUT_MS }, "the gateway does not stop; killing it");
          child?.kill("SIGKILL");
        },
        () => undefined,
      );
      const sendStop = () => {
        if (child?.connected) child.send({ stop: message } satisfies StopMessage, () => undefined);
      };
      sendStop();
      await running;
      // It was about to be started again, or died before it had ended the devices: another one does that.
      if (message.endDevices && !hasStopped && !isLate) {
        const stopping = runOnce();
        sendStop();
        await stopping;
      }
      hasEnded.abort();
    },
  };
}
