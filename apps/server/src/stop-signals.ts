import type { Clock } from "@terrarium/clock";
import type { StopMessage } from "./roles/gateway-process.ts";

type Stop = (options: StopMessage["stop"]) => void;

/** Sent by Ctrl-C, and when a terminal is closed: somebody has finished. */
const BY_HAND = ["SIGINT", "SIGHUP"] as const;

/** Sent by whatever starts the next server: service managers, `npm run dev` when code has changed. */
const RESTART = "SIGTERM";

/** Signals within this time count as one: a terminal signals every process of the group, and the parent forwards the signal too. */
const SAME_REQUEST_MS = 1_000;

export interface StopSettings {
  clock: Clock;
  /** Whether everything is on this machine; in a fleet devices always survive their gateway. */
  embedded: boolean;
  /** Whether SIGTERM leaves devices to the next server. */
  leavesDevices: boolean;
}

/** Calls `stop` upon the first signal; a later one exits at once. */
export function stopOnSignals(stop: Stop, { clock, embedded, leavesDevices }: StopSettings): void {
  let requestedAt: number | undefined;
  const request = (options: StopMessage["stop"]) => {
    const now = clock.monotonic();
    if (requestedAt !== undefined && now - requestedAt > SAME_REQUEST_MS) process.exit(1);
    requestedAt ??= now;
    stop(options);
  };
  for (const signal of BY_HAND) process.on(signal, () => request({ endDevices: embedded }));
  process.on(RESTART, () => request({ endDevices: embedded && !leavesDevices }));
}

/** For a gateway that another process started: ignores signals, and stops when the parent says so or is gone. */
export function stopWithParent(stop: Stop): void {
  for (const signal of [...BY_HAND, RESTART]) process.on(signal, () => undefined);
  process.on("message", (message: StopMessage) => stop(message.stop));
  process.on("disconnect", () => stop({ endDevices: false }));
}
