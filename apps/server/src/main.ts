import { systemClock } from "@terrarium/clock";
import { z } from "zod";
import { obeyParent, obeySignals } from "./endings.ts";
import { launch, type Launched } from "./launch.ts";
import { createLog, type Logger } from "./platform/log.ts";
import type { StopMessage } from "./roles/gateway-process.ts";
import { loadRuntimes } from "./runtimes.ts";
import { readSettings, type Settings } from "./settings.ts";

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

/** What ends this process, from before anything is started: a start that is told to stop is finished first, and then undone. */
function obey(settings: Settings, log: Logger, launching: Promise<Launched>): void {
  let stopping: Promise<void> | undefined;
  const stop = (options: StopMessage["stop"]): void => {
    stopping ??= launching
      .then((launched) => launched.stop(options))
      .then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, "not everything could be stopped");
          process.exit(1);
        },
      );
  };
  if (settings.gateway.isChild && process.send) obeyParent(stop);
  else obeySignals(stop, { clock: systemClock, embedded: settings.embedded });
}

try {
  const settings = readSettings(process.env);
  const log = createLog(settings.logLevel, settings.roles.join("+"));
  const runtimes = await loadRuntimes(settings.runtimes, process.env);
  process.on("unhandledRejection", (error) => log.error({ err: error }, "a promise was rejected and nobody listened"));
  const launching = launch({
    settings,
    runtimes,
    clock: systemClock,
    log,
    program: import.meta.filename,
    env: process.env,
  });
  obey(settings, log, launching);
  const launched = await launching;
  if (settings.gateway.isChild && process.connected) process.send?.({ ready: true });
  else if (launched.port !== undefined) greet(launched);
} catch (error) {
  console.error(explain(error));
  process.exit(1);
}
