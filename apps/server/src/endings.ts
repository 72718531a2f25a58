import type { Clock } from "@terrarium/clock";
import type { StopMessage } from "./roles/gateway-process.ts";

type Stop = (options: StopMessage["stop"]) => void;

/** What a terminal, a service manager and a closed terminal send. */
const endings = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** What a supervisor sends that starts the next server at once: `npm run dev` does when code changed. */
const RESTART = "SIGUSR2";

/** Signals that come this close together are one wish: a terminal sends them to every process, and a parent passes them on. */
const ONE_WISH_MS = 1_000;

/** Ends the process when it is told to; whoever asks again does not want to wait. */
export function obeySignals(stop: Stop, { clock, embedded }: { clock: Clock; embedded: boolean }): void {
  let askedAt: number | undefined;
  const ask = (options: StopMessage["stop"]) => {
    const now = clock.now();
    if (askedAt !== undefined && now - askedAt > ONE_WISH_MS) process.exit(1);
    askedAt ??= now;
    stop(options);
  };
  // On a laptop Ctrl-C ends everything; in a fleet devices outlive the processes that look after them.
  for (const signal of endings) process.on(signal, () => ask({ endDevices: embedded }));
  process.on(RESTART, () => ask({ endDevices: false }));
}

/** A gateway that another process started answers to it alone: it is told to stop, or its parent is gone. */
export function obeyParent(stop: Stop): void {
  for (const signal of [...endings, RESTART]) process.on(signal, () => undefined);
  process.on("message", (message: StopMessage) => stop(message.stop));
  process.on("disconnect", () => stop({ endDevices: false }));
}
