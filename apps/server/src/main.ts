import { systemClock } from "@terrarium/clock";
import { z } from "zod";
import { launch, type Launched } from "./launch.ts";
import { createLog } from "./platform/log.ts";
import type { StopMessage } from "./roles/gateway-process.ts";
import { readSettings, type Settings } from "./settings.ts";

/** What a terminal, a service manager and a closed terminal send. */
const endings = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Says what is wrong in one sentence; the stack is for defects. */
function explain(error: unknown): string {
  if (error instanceof z.ZodError) return `The settings are not valid:\n${z.prettifyError(error)}`;
  if ((error as { code?: string }).code === "EADDRINUSE")
    return `Port ${(error as { port?: number }).port} is in use. Choose another with PORT.`;
  return error instanceof Error ? error.message : String(error);
}

function greet({ port, demoAccounts }: Launched): void {
  console.log(`\nTerrarium is ready at http://localhost:${port}\n`);
  if (demoAccounts.length === 0) return;
  console.log("Sign in with one of the demo accounts:");
  for (const { email, password } of demoAccounts) console.log(`  ${email.padEnd(20)} ${password}`);
  console.log();
}

/** A gateway that another process started answers to it alone: it is told to stop, or its parent is gone. */
function obeyParent(launched: Launched, stop: (options: StopMessage["stop"]) => void): void {
  for (const signal of endings) process.on(signal, () => undefined);
  process.on("message", (message: StopMessage) => stop(message.stop));
  process.on("disconnect", () => stop({ endDevices: false }));
  process.send?.({ ready: true, port: launched.port });
}

function stopOnSignals(settings: Settings, stop: (options: StopMessage["stop"]) => void): void {
  // On a laptop Ctrl-C ends everything; in a fleet devices outlive the processes that look after them.
  for (const signal of endings) process.on(signal, () => stop({ endDevices: settings.embedded }));
}

try {
  const settings = readSettings(process.env);
  const log = createLog(settings.logLevel, settings.roles.join("+"));
  process.on("unhandledRejection", (error) => log.error({ err: error }, "a promise was rejected and nobody listened"));
  const launched = await launch({ settings, clock: systemClock, log, program: import.meta.filename, env: process.env });

  let stopping: Promise<void> | undefined;
  const stop = (options: StopMessage["stop"]): void => {
    stopping ??= launched.stop(options).then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, "not everything could be stopped");
        process.exit(1);
      },
    );
  };
  if (process.send && settings.gateway.isChild) obeyParent(launched, stop);
  else {
    stopOnSignals(settings, stop);
    if (launched.port !== undefined) greet(launched);
  }
} catch (error) {
  console.error(explain(error));
  process.exit(1);
}
