import { describe, expect, it } from "vitest";
import { attentionOf } from "./attention.ts";

type Overview = Parameters<typeof attentionOf>[0];

const server: Overview["servers"][number] = {
  id: "00000000-0000-4000-8000-000000000001",
  host: "one",
  pid: 1,
  roles: ["api"],
  version: "1",
  started_at: "2026-03-05T14:00:00.000Z",
  silent_seconds: 35,
  cpu: 1,
  memory_bytes: 1,
  event_loop_ms: 200,
  host_load: 5,
  host_memory: 0.95,
};
/** At every bound, and over none. */
const well: Overview = {
  version: "1",
  servers: [server],
  gateways: [{ id: "one", zones: null, is_draining: false, devices: 1, online: 1, machine: [], found: [] }],
  devices: { states: [], unattended: 0 },
  jobs: { queues: [{ name: "send-mail", waiting: 9, running: 9, failed: 0 }], oldest_late_seconds: 120 },
  mails: { unsent: 9, stuck_seconds: 900 },
  requests: { waiting: 0 },
  database: { version: "17", bytes: 1, connections: 79, connections_max: 100 },
};
const failed = [
  { name: "a", waiting: 0, running: 0, failed: 2 },
  { name: "b", waiting: 0, running: 0, failed: 3 },
];

describe("what needs attention", () => {
  it("is nothing where all is well", () => expect(attentionOf(well, { hasMails: true })).toEqual([]));

  it.each<[Partial<Overview>, string, boolean, number]>([
    [{ gateways: [] }, "no_gateway", true, 0],
    [{ gateways: [{ ...well.gateways[0]!, is_draining: true }] }, "gateways_draining", true, 1],
    [{ gateways: [{ ...well.gateways[0]!, is_draining: true }, ...well.gateways] }, "gateways_draining", false, 1],
    [{ devices: { states: [], unattended: 1 } }, "unattended_devices", true, 1],
    [{ database: { ...well.database, connections: 80 } }, "database_connections", true, 80],
    [{ servers: [server, { ...server, silent_seconds: 36 }] }, "server_silent", true, 1],
    [{ jobs: { ...well.jobs, oldest_late_seconds: 121 } }, "jobs_late", true, 121],
    [{ mails: { unsent: 1, stuck_seconds: 960 } }, "mails_stuck", true, 16],
    [{ servers: [{ ...server, event_loop_ms: 201 }] }, "server_busy", false, 1],
    [{ servers: [{ ...server, host_memory: 0.96 }] }, "server_busy", false, 1],
    [{ jobs: { ...well.jobs, queues: failed } }, "jobs_failed", false, 5],
    [{ requests: { waiting: 2 } }, "requests_waiting", false, 2],
  ])("%j: %s", (change, what, is_urgent, count) =>
    expect(attentionOf({ ...well, ...change }, { hasMails: true })).toEqual([{ what, is_urgent, count }]),
  );

  it("is that nobody gets mails, once there are some", () => {
    const mails = { unsent: 0, stuck_seconds: null };
    const told = [well, { ...well, mails }].map((overview) => attentionOf(overview, { hasMails: false }));
    expect(told).toEqual([[{ what: "mails_kept", is_urgent: false, count: 9 }], []]);
  });

  it("is told of a silent process once: what it last said of itself is old", () => {
    const silent = { ...server, silent_seconds: 60, event_loop_ms: 900 };
    expect(attentionOf({ ...well, servers: [silent] }, { hasMails: true }).map(({ what }) => what)).toEqual([
      "server_silent",
    ]);
  });

  it("begins with what keeps customers from their devices", () => {
    const jobs = { queues: failed, oldest_late_seconds: 500 };
    const whats = attentionOf(
      { ...well, gateways: [], devices: { states: [], unattended: 4 }, jobs },
      { hasMails: true },
    );
    expect(whats.map(({ what }) => what)).toEqual(["no_gateway", "unattended_devices", "jobs_late", "jobs_failed"]);
  });
});
