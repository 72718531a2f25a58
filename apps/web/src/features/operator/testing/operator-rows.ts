import type { Job, OperatedOrganization, OperatedPerson } from "@terrarium/contract";
import { anId } from "../../../testing/factories.ts";
import type { Overview } from "../operator.queries.ts";

export const anOverview = (fields: Partial<Overview> = {}): Overview => ({
  version: "0.1.0",
  attention: [],
  servers: [
    {
      id: anId(),
      host: "terrarium-1",
      pid: 4711,
      roles: ["api", "realtime", "jobs"],
      version: "0.1.0",
      started_at: "2026-03-05T14:00:00.000Z",
      silent_seconds: 4,
      cpu: 0.25,
      memory_bytes: 300 * 1024 ** 2,
      event_loop_ms: 3.2,
      host_load: 0.4,
      host_memory: 0.61,
    },
  ],
  gateways: [{ id: "gateway-1", zones: null, is_draining: false, devices: 4, online: 3, machine: [], found: [] }],
  devices: {
    states: [
      { state: "ONLINE", count: 3 },
      { state: "BOOTING", count: 1 },
    ],
    unattended: 0,
  },
  jobs: { queues: [{ name: "send-mail", waiting: 2, running: 1, failed: 0 }], oldest_late_seconds: null },
  mails: { unsent: 3, stuck_seconds: null },
  requests: { waiting: 0 },
  database: { version: "17.5", bytes: 12 * 1024 ** 2, connections: 18, connections_max: 100 },
  ...fields,
});

export const anOperatedOrganization = (fields: Partial<OperatedOrganization> = {}): OperatedOrganization => ({
  uuid: anId(),
  name: "Northwind Mobile",
  created_at: "2026-03-05T14:00:00.000Z",
  people: 12,
  running_instances: 3,
  instances_max: 10,
  license: { type: "metered", is_active: true, is_unpaid: false, expires_at: null },
  managers: 2,
  requires_second_factor: false,
  limits: { devices: 10, recipes: 1000, hardware_profiles: 1000, os_images: 1000, saved_gigabytes: 50 },
  zone: { name: "europe", is_dedicated: false },
  ...fields,
});

export const aPerson = (fields: Partial<OperatedPerson> = {}): OperatedPerson => ({
  uuid: anId(),
  email: "robin@northwind.test",
  first_name: "Robin",
  last_name: "Reed",
  is_organization_manager: false,
  is_enabled: true,
  is_validated: true,
  has_second_factor: true,
  last_sign_in_at: null,
  ...fields,
});

let count = 0;
export const aJob = (fields: Partial<Job> = {}): Job => ({
  id: ++count,
  name: "send-mail",
  state: "failed",
  attempts: 24,
  created_at: "2026-03-05T14:00:00.000Z",
  due_at: null,
  ended_at: null,
  last_error: "550 no such mailbox",
  ...fields,
});
