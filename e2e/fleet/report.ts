import type { Fault, Outcome } from "./run.ts";

/** What is promised: the machine whose process was killed has its devices again, and others say why they ended, within so long. */
const SETTLED_SECONDS = 30;

const line = (name: string, value: string) => `  ${name.padEnd(52)} ${value}`;
const megabytes = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(0)} MB`;
const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(0)} kB`;

/** Whether every device is accounted for in time, and nothing is billed twice. Without networks a machine cannot be lost, only its gateway. */
export const isGood = ({ networks, faults, billing }: Outcome): boolean =>
  billing.length === 0 &&
  faults.every((fault) => isAccounted(fault) && (networks === 0 || fault.seconds <= SETTLED_SECONDS));

const isAccounted = ({ devices, adopted, ended }: Fault) =>
  adopted + Object.values(ended).reduce((sum, count) => sum + count, 0) === devices;

/** The table of a run. */
export function reportOf(outcome: Outcome): string[] {
  const { devices, networks, startSeconds, readyMs, none, rest, databaseBytes, faults, billing } = outcome;
  const ready = readyMs.toSorted((a, b) => a - b);
  const at = (share: number) => `${((ready[Math.ceil(share * ready.length) - 1] ?? 0) / 1000).toFixed(1)} s`;
  const grown = rest.servers.bytes - none.bytes;
  const each = (bytes: number) => kilobytes(bytes / devices);
  const cores = (seconds: number) => `${(seconds * 100).toFixed(0)} % of a core`;
  return [
    `${devices} devices, 3 api, 2 machines, ${networks} network namespaces`,
    line("starts", `${(devices / startSeconds).toFixed(1)} a second`),
    line("from the start until online", `p50 ${at(0.5)}, p95 ${at(0.95)}`),
    line("servers and gateways, without devices", megabytes(none.bytes)),
    line("servers and gateways, devices at rest", `${megabytes(rest.servers.bytes)}, ${cores(rest.seconds.servers)}`),
    line("  for each device", grown > 0 ? each(grown) : "nothing that can be seen"),
    line("devices at rest", `${megabytes(rest.devices.bytes)}, ${cores(rest.seconds.devices)}`),
    line("  each", each(rest.devices.bytes)),
    line(
      "PostgreSQL",
      `${megabytes(rest.database.bytes)}, ${cores(rest.seconds.database)}, ${megabytes(databaseBytes)} on disk`,
    ),
    ...faults.map(({ what, devices: count, adopted, ended, seconds }) =>
      line(
        what,
        `${count} devices: ${[`${adopted} run on`, ...Object.entries(ended).map(([reason, number]) => `${number} ended (${reason})`)].join(", ")}; after ${seconds.toFixed(1)} s${seconds > SETTLED_SECONDS ? `, more than ${SETTLED_SECONDS}` : ""}`,
      ),
    ),
    line("billed twice, or too much", String(billing.length)),
    ...billing.slice(0, 20).map((wrong) => `    ${wrong}`),
  ];
}
