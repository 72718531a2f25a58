import { describe, expect, it } from "vitest";
import { componentsOf, type Known } from "./components.ts";

const server: Known["servers"][number] = {
  roles: ["api", "realtime", "jobs"],
  silent_seconds: 35,
  event_loop_ms: 1000,
};
const media = { ...server, roles: ["gateway"] };
const gateway = { is_draining: false };
/** At every bound, and over none. */
const well: Known = {
  servers: [server, media],
  gateways: [gateway],
  late_seconds: 120,
  stuck_seconds: 900,
  unattended: 0,
  tookMs: 3000,
  charges: true,
  isStarting: false,
};
const parts = ["api", "devices", "displays", "mail", "payments", "jobs"];
const limited = "degraded_performance";
const out = "major_outage";

describe("the parts of the service", () => {
  it.each<[string, Partial<Known>, Record<string, string>]>([
    ["all well", {}, {}],
    ["a slow database", { tookMs: 3001 }, { api: limited }],
    ["a slow process", { servers: [{ ...server, event_loop_ms: 1001 }, media] }, { api: limited }],
    ["one slow process of two", { servers: [server, { ...server, event_loop_ms: 1001 }, media] }, {}],
    ["a slow gateway", { servers: [server, { ...media, event_loop_ms: 1001 }] }, { displays: limited }],
    ["silence", { servers: [{ ...server, silent_seconds: 36 }] }, { api: limited, mail: out, jobs: out }],
    ["no gateway", { gateways: [] }, { devices: out, displays: out }],
    ["no gateway yet", { gateways: [], isStarting: true }, {}],
    ["draining gateways", { gateways: [{ ...gateway, is_draining: true }] }, { devices: limited }],
    ["a draining gateway", { gateways: [gateway, { ...gateway, is_draining: true }] }, {}],
    ["devices without a gateway", { unattended: 1 }, { devices: limited, displays: limited }],
    ["devices without a gateway yet", { unattended: 1, isStarting: true }, {}],
    ["jobs that wait", { late_seconds: 121 }, { mail: limited, jobs: limited }],
    ["mails that wait", { stuck_seconds: 901 }, { mail: limited }],
    ["a bank that does not answer", { charges: false }, { payments: limited }],
  ])("with %s", (_, change, expected) => {
    const states = Object.fromEntries(parts.map((part) => [part, "operational"]));
    expect(componentsOf({ ...well, ...change })).toEqual({ ...states, ...expected });
  });

  it("leave out payments where there are none", () =>
    expect(Object.keys(componentsOf({ ...well, charges: undefined }))).not.toContain("payments"));

  it("are all out without a database", () =>
    expect(new Set(Object.values(componentsOf(null)))).toEqual(new Set([out])));
});
