import type { Answer, operator } from "@terrarium/contract";

type Overview = Answer<typeof operator.overview>;
type Attention = Overview["attention"][number];

/** A process reports every ten seconds: it has missed three reports in a row. */
export const SILENT_S = 35;
/** Jobs are looked for every second. Each of five may take some time; nothing should wait for two minutes. */
export const LATE_S = 120;
/** A server that greylists answers within minutes. */
export const STUCK_S = 900;
const CONNECTIONS_SHARE = 0.8;
/** People notice a service whose every hundredth turn is later. */
const EVENT_LOOP_MS = 200;
const HOST_MEMORY = 0.95;

/**
 * What needs attention; first what separates customers from their devices.
 * @param hasMails whether mails are sent, or can at least be found in the mailbox
 */
export function attentionOf(
  { servers, gateways, devices, jobs, mails, requests, database }: Omit<Overview, "attention">,
  { hasMails }: { hasMails: boolean },
): Attention[] {
  const failed = jobs.queues.reduce((sum, queue) => sum + queue.failed, 0);
  const silent = servers.filter(({ silent_seconds }) => silent_seconds > SILENT_S).length;
  const busy = servers.filter(
    ({ event_loop_ms, host_memory, silent_seconds }) =>
      silent_seconds <= SILENT_S && (event_loop_ms > EVENT_LOOP_MS || host_memory > HOST_MEMORY),
  ).length;
  const used = database.connections / Math.max(1, database.connections_max);
  const stuck = mails.stuck_seconds ?? 0;
  const late = jobs.oldest_late_seconds ?? 0;
  const draining = gateways.filter(({ is_draining }) => is_draining).length;
  const found: (Attention & { is: boolean })[] = [
    { what: "no_gateway", is_urgent: true, count: 0, is: gateways.length === 0 },
    { what: "unattended_devices", is_urgent: true, count: devices.unattended, is: devices.unattended > 0 },
    {
      what: "database_connections",
      is_urgent: true,
      count: Math.round(used * 100),
      is: used >= CONNECTIONS_SHARE,
    },
    { what: "server_silent", is_urgent: true, count: silent, is: silent > 0 },
    { what: "jobs_late", is_urgent: true, count: late, is: late > LATE_S },
    { what: "mails_stuck", is_urgent: true, count: Math.round(stuck / 60), is: stuck > STUCK_S },
    { what: "gateways_draining", is_urgent: draining === gateways.length, count: draining, is: draining > 0 },
    { what: "server_busy", is_urgent: false, count: busy, is: busy > 0 },
    { what: "jobs_failed", is_urgent: false, count: failed, is: failed > 0 },
    { what: "mails_kept", is_urgent: false, count: mails.unsent, is: !hasMails && mails.unsent > 0 },
    { what: "requests_waiting", is_urgent: false, count: requests.waiting, is: requests.waiting > 0 },
  ];
  return found.flatMap(({ is, ...attention }) => (is ? attention : []));
}
