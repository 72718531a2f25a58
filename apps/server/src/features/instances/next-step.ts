import { type InstanceEvent, instancePhases, type InstanceState } from "@terrarium/contract";

/** A device that is not ready by then will not be: it ends in an error rather than hang for ever. */
export const START_TIMEOUT_MS = 240_000;

const MINUTE_MS = 60_000;

export interface Timed {
  state: InstanceState;
  /** How long it has been starting or online, and how long nobody has used it, as its gateway measured; see `DeviceTime`. */
  ran_ms: number;
  idle_ms: number;
  /** Minutes; 0 is none. */
  timeout_inactivity: number;
  timeout_global: number;
  /** It does not stop by these before it has run for this long. */
  kept_until_ms: number;
}

export interface Step {
  event: InstanceEvent;
  reason: "inactivity" | "max_run_duration" | "start_timeout";
}

/** What should happen to a device because of the time, and why; nothing for most devices at most times. */
export function nextStep(instance: Timed): Step | undefined {
  if (instancePhases.starting.includes(instance.state))
    return instance.ran_ms >= START_TIMEOUT_MS ? { event: "fail", reason: "start_timeout" } : undefined;
  const left = timeLeft(instance);
  return left && left.ms <= 0 ? { event: "stop", reason: left.reason } : undefined;
}

/** How long an online device still runs if nobody uses it, and why it stops then; undefined when it does not stop by itself. */
export function timeLeft(instance: Timed): { ms: number; reason: "inactivity" | "max_run_duration" } | undefined {
  if (instance.state !== "ONLINE") return undefined;
  const ends = [];
  if (instance.timeout_global > 0)
    ends.push({ ms: instance.timeout_global * MINUTE_MS - instance.ran_ms, reason: "max_run_duration" as const });
  if (instance.timeout_inactivity > 0)
    ends.push({ ms: instance.timeout_inactivity * MINUTE_MS - instance.idle_ms, reason: "inactivity" as const });
  const [first] = ends.toSorted((a, b) => a.ms - b.ms);
  return first && { ...first, ms: Math.max(first.ms, instance.kept_until_ms - instance.ran_ms) };
}
