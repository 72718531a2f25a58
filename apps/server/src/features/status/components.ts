import type { Answer, ComponentState, operator, StatusComponent } from "@terrarium/contract";
import { LATE_S, SILENT_S, STUCK_S } from "../operator/attention.ts";

type Overview = Answer<typeof operator.overview>;

/** What is known about the service. */
export interface Known {
  servers: readonly Pick<Overview["servers"][number], "silent_seconds" | "roles" | "event_loop_ms">[];
  gateways: readonly Pick<Overview["gateways"][number], "is_draining">[];
  /** How long the job has waited that is overdue for longest, and the mails that no server takes. */
  late_seconds: number;
  stuck_seconds: number;
  /** Devices that no gateway looks after, and not only until one has claimed them. */
  unattended: number;
  /** How long the database took to say all this, in milliseconds. */
  tookMs: number;
  /** Whether whoever charges cards answers; undefined where there are no payments. */
  charges: boolean | undefined;
  /** Whether this process has just begun, and its gateway may still be coming. */
  isStarting: boolean;
}

/** People notice a wait of this length. */
const SLOW_MS = 3_000;
const SLOW_TURN_MS = 1_000;

/** How each part of the service is; null if the database does not say. Parts that there are not are missing. */
export function componentsOf(known: Known | null): Partial<Record<StatusComponent, ComponentState>> {
  if (!known) return { api: out, devices: out, displays: out, mail: out, jobs: out };
  const { servers, gateways, charges } = known;
  const heard = servers.filter(({ silent_seconds }) => silent_seconds <= SILENT_S);
  const ofRole = (role: string) => heard.filter(({ roles }) => roles.includes(role));
  const isSlow = (role: string) => {
    const all = ofRole(role);
    return all.length > 0 && all.every(({ event_loop_ms }) => event_loop_ms > SLOW_TURN_MS);
  };
  const hasNoGateway = gateways.length === 0 && !known.isStarting;
  const isUnattended = known.unattended > 0 && !known.isStarting;
  const hasNoWorker = ofRole("jobs").length === 0;
  const isLate = known.late_seconds > LATE_S;
  return {
    api: stateOf(false, known.tookMs > SLOW_MS || isSlow("api") || ofRole("realtime").length === 0),
    devices: stateOf(
      hasNoGateway,
      isUnattended || (gateways.length > 0 && gateways.every(({ is_draining }) => is_draining)),
    ),
    displays: stateOf(hasNoGateway, isUnattended || isSlow("gateway")),
    mail: stateOf(hasNoWorker, isLate || known.stuck_seconds > STUCK_S),
    ...(charges !== undefined && { payments: stateOf(false, !charges) }),
    jobs: stateOf(hasNoWorker, isLate),
  };
}

const out = "major_outage";
const stateOf = (isOut: boolean, isLimited: boolean): ComponentState =>
  isOut ? out : isLimited ? "degraded_performance" : "operational";
