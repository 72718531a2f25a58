import type { Clock } from "@terrarium/clock";
import type { StopMessage } from "./roles/gateway-process.ts";

type Stop = (options: StopMessage["stop"]) => void;

/** Sent by Ctrl-C, by service managers, and when a terminal is closed. */
const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Sent by a supervisor that will start the next server at once, such as `npm run dev` when code has changed. */
const RESTART = "SIGUSR2";

/** Signals within this time count as one: a terminal signals every process of the group, and the parent forwards the signal too. */
const SAME_REQUEST_MS = 1_000;

/**
 * Calls `stop` upon the first signal; a later one exits at once. Devices are stopped too if `embedded`, except upon the restart signal.
 */
export function stopOnSignals(stop: Stop, { clock, embedded }: { clock: Clock; embedded: boolean }): void {
  let requestedAt: number | undefined;
  const request = (options: StopMessage["stop"]) => {
    const now = clock.monotonic();
    if (requestedAt !== undefined && now - requestedAt > SAME_REQUEST_MS) process.exit(1);
    requestedAt ??= now;
    stop(options);
  };
  // On a laptop Ctrl-C should end everything; in a fleet devices survive their gateway, and the next one takes them over.
  for (const signal of stopSignals) process.on(signal, () => request({ endDevices: embedded }));
  process.on(RESTART, () => request({ endDevices: false }));
}

/** For a gateway that another process started: ignores signals, and stops when the parent says so or is gone. */
export function stopWithParent(stop: Stop): void {
  for (const signal of [...stopSignals, RESTART]) process.on(signal, () => undefined);
  process.on("message", (message: StopMessage) => stop(message.stop));
  process.on("disconnect", () => stop({ endDevices: false }));
}
