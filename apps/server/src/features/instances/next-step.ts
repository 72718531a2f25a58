import { type InstanceEvent, instancePhases, type InstanceState } from "@terrarium/contract";

/** A device that is not ready by then will not be: it ends in an error rather than hang for ever. */
export const START_TIMEOUT_MS = 240_000;

const MINUTE_MS = 60_000;

export interface Timed {
  state: InstanceState;
  created_at: Date;
  online_at: Date | null;
  last_active_at: Date | null;
  /** Minutes; 0 is none. */
  timeout_inactivity: number;
  timeout_global: number;
}

export interface Step {
  event: InstanceEvent;
  reason: "inactivity" | "max_run_duration" | "start_timeout";
}

/** What should happen to a device now by the clock alone, and why; nothing for most devices at most times. */
export function nextStep(instance: Timed, now: number): Step | undefined {
  if (instancePhases.starting.includes(instance.state)) {
    return now - instance.created_at.getTime() >= START_TIMEOUT_MS
      ? { event: "fail", reason: "start_timeout" }
      : undefined;
  }
  const stop = stopsAt(instance);
  return stop && now >= stop.at ? { event: "stop", reason: stop.reason } : undefined;
}

/** When an online device stops by itself if nobody uses it, and for which reason; undefined when it does not. */
export function stopsAt(
  instance: Omit<Timed, "created_at">,
): { at: number; reason: "inactivity" | "max_run_duration" } | undefined {
  if (instance.state !== "ONLINE" || !instance.online_at) return undefined;
  const ends = [];
  if (instance.timeout_global > 0)
    ends.push({
      at: instance.online_at.getTime() + instance.timeout_global * MINUTE_MS,
      reason: "max_run_duration" as const,
    });
  if (instance.timeout_inactivity > 0) {
    const active = Math.max(instance.online_at.getTime(), instance.last_active_at?.getTime() ?? 0);
    ends.push({ at: active + instance.timeout_inactivity * MINUTE_MS, reason: "inactivity" as const });
  }
  return ends.sort((a, b) => a.at - b.at)[0];
}
