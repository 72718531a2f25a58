import { systemClock } from "@terrarium/clock";
import { z } from "zod";
import { stopOnSignals, stopWithParent } from "./stop-signals.ts";
import { launch, type Launched } from "./launch.ts";
import { createLog, type Logger } from "./platform/log.ts";
import { lookAtMachine } from "./platform/look-at-machine.ts";
import type { StopMessage } from "./roles/gateway-process.ts";
import { loadRuntimes } from "./runtimes.ts";
import { helpWith, readSettings, type Settings } from "./settings.ts";
import { welcome } from "./welcome.ts";

/** What went wrong, in a sentence for the operator. */
function explain(error: unknown): string {
  if (error instanceof z.ZodError) return `The settings are not valid:\n${z.prettifyError(error)}`;
  if ((error as { code?: string }).code === "EADDRINUSE")
    return `Port ${(error as { port?: number }).port} is in use. Choose another with PORT.`;
  return error instanceof Error ? error.message : String(error);
}

/** Registers what stops this process. A stop during the start waits until the start has finished. */
function registerStop(settings: Settings, log: Logger, launching: Promise<Launched>): void {
  let stopping: Promise<void> | undefined;
  const stop = (options: StopMessage["stop"]): void => {
    stopping ??= launching
      .then((launched) => launched.stop(options))
      .then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, "an error occurred while stopping");
          process.exit(1);
        },
      );
  };
  if (settings.gateway.isChild && process.send) stopWithParent(stop);
  else stopOnSignals(stop, { clock: systemClock, ...settings });
}

try {
  const settings = readSettings(process.env);
  const log = createLog(settings.logLevel, settings.roles.join("+"));
  const runtimes = await loadRuntimes(settings.runtimes, process.env);
  process.on("unhandledRejection", (error) => log.error({ err: error }, "unhandled promise rejection"));
  const launching = launch({
    settings,
    runtimes,
    clock: systemClock,
    log,
    program: import.meta.filename,
    env: process.env,
  });
  registerStop(settings, log, launching);
  const launched = await launching;
  if (settings.gateway.isChild && process.connected) process.send?.({ ready: true });
  else if (launched.port !== undefined)
    console.log(
      welcome({
        ...launched,
        port: launched.port,
        isRoot: process.getuid?.() === 0,
        machine: await lookAtMachine({
          env: process.env,
          helpWith: (runtime, more) => helpWith(runtime, settings, more),
        }),
      }),
    );
} catch (error) {
  console.error(explain(error));
  process.exit(1);
}
