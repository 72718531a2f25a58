import { z } from "zod";
import { ByUuid, integerWithin, listOf, Name, orderingOf, pageOf, Paging, Search, Time, Uuid } from "./fields.ts";
import { instanceStates } from "./instance-life.ts";
import { jobStates, licenseTypes, limits, zones } from "./limits.ts";
import { tag } from "./openapi-tags.ts";
import { Proof, proofFails } from "./proof.ts";
import { routes } from "./routes.ts";

const Count = z.int().min(0);
const Seconds = Count.meta({ description: "Seconds" });

/** One process of the service. */
const Server = z.object({
  id: Uuid,
  host: z.string(),
  pid: z.int(),
  roles: z.array(z.string()),
  version: z.string(),
  started_at: Time,
  silent_seconds: Seconds.meta({ description: "Since it last told of itself, which it does every ten seconds" }),
  /** Of the last ten seconds. */
  cpu: z.number().meta({ description: "Processors that the process used" }),
  memory_bytes: Count,
  event_loop_ms: z.number().meta({ description: "By how much its event loop was late, for one turn in a hundred" }),
  host_load: z
    .number()
    .meta({ description: "Processes of the machine that ran or waited to, by its processors; 1 is all of it" }),
  host_memory: z.number().meta({ description: "How much of the machine's memory is in use, from 0 to 1" }),
});

/** What a machine could run Android with. */
export const Possibility = z.object({
  what: z.enum(["adb", "android-sdk", "docker", "kubernetes", "qemu", "kvm", "binder"]),
  is_possible: z.boolean(),
  says: z.string(),
  help: z.string().nullable().meta({ description: "What adds it, or what to do with it" }),
});
export type Possibility = z.infer<typeof Possibility>;

const Gateway = z.object({
  id: z.string(),
  zones: z.array(z.string()).nullable().meta({ description: "Null for all" }),
  is_draining: z.boolean().meta({ description: "It takes no new devices; those that run go on" }),
  devices: Count,
  online: Count,
  machine: z.array(Possibility),
  found: z
    .array(
      z.object({
        runtime: z.string(),
        key: z.string(),
        name: z.string(),
        is_free: z.boolean(),
        problem: z.string().nullable(),
        is_offered: z.boolean().meta({ description: "Whether there is an official recipe for it" }),
      }),
    )
    .meta({ description: "Devices that are there already, such as phones on a desk" }),
});

/** A name of a job, with how many of it wait, run and were given up. */
const Queue = z.object({ name: z.string(), waiting: Count, running: Count, failed: Count });

/** What needs attention, the most urgent first. */
const Attention = z.object({
  what: z.enum([
    "no_gateway",
    "unattended_devices",
    "server_silent",
    "jobs_late",
    "jobs_failed",
    "database_connections",
    "server_busy",
    "gateways_draining",
    "mails_stuck",
    "mails_kept",
    "requests_waiting",
  ]),
  is_urgent: z.boolean(),
  /** How many of it, or percent. */
  count: Count,
});

const License = z.object({
  type: z.enum(licenseTypes),
  is_active: z.boolean(),
  is_unpaid: z.boolean().meta({ description: "No device starts until its plan is paid, whatever else is said here" }),
  expires_at: Time.nullable().meta({ description: "No device starts from then on; null: it does not end" }),
});

const operatedCount = { min: 0, max: limits.operatedMax };

/** How many of each an organization may have. */
const OrganizationLimits = z.object({
  devices: integerWithin(operatedCount),
  recipes: integerWithin(operatedCount),
  hardware_profiles: integerWithin(operatedCount),
  os_images: integerWithin(operatedCount),
  saved_gigabytes: integerWithin(operatedCount),
});

const Zone = z.object({ name: z.enum(zones), is_dedicated: z.boolean() });

const ListedOrganization = z.object({
  uuid: Uuid,
  name: z.string(),
  created_at: Time,
  people: Count,
  running_instances: Count,
  instances_max: Count,
  license: License,
});

export const OperatedOrganization = ListedOrganization.extend({
  managers: z.int(),
  requires_second_factor: z.boolean(),
  limits: z.object({
    devices: Count,
    recipes: Count,
    hardware_profiles: Count,
    os_images: Count,
    saved_gigabytes: z.number(),
  }),
  zone: z.object({ name: z.string(), is_dedicated: z.boolean() }),
});
export type OperatedOrganization = z.infer<typeof OperatedOrganization>;

export const OperatedPerson = z.object({
  uuid: Uuid,
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  is_organization_manager: z.boolean(),
  is_enabled: z.boolean(),
  is_validated: z.boolean(),
  has_second_factor: z.boolean(),
  last_sign_in_at: Time.nullable(),
});
export type OperatedPerson = z.infer<typeof OperatedPerson>;

export const Job = z.object({
  id: z.int(),
  name: z.string(),
  state: z.enum(jobStates),
  attempts: Count,
  created_at: Time,
  due_at: Time.nullable().meta({ description: "Null for at once, and for one that has ended" }),
  ended_at: Time.nullable(),
  last_error: z.string().nullable(),
});
export type Job = z.infer<typeof Job>;

/** Why it is done. The managers of the organization that it concerns read it in their audit log. */
const Reason = z.object({ reason: Name });

const ByJob = z.object({ id: z.coerce.number<string | number>().int().positive() });

export const operatorTag = tag("Operators", "Operator", "The console of whoever runs the service.");

/** For whoever runs the service. To everybody else these routes are not there. */
export const operator = routes({
  overview: {
    method: "GET",
    path: "/v1/operator/overview",
    summary: "How the service is: what needs attention, its processes, gateways, devices, jobs and database",
    access: "operator",
    reply: z.object({
      version: z.string(),
      attention: z.array(Attention),
      servers: z.array(Server),
      gateways: z.array(Gateway),
      devices: z.object({
        states: z.array(z.object({ state: z.enum(instanceStates), count: Count })),
        unattended: Count.meta({ description: "Those that a gateway should look after, and none does" }),
      }),
      jobs: z.object({
        queues: z.array(Queue),
        oldest_late_seconds: Seconds.nullable().meta({ description: "How long the longest overdue job has waited" }),
      }),
      mails: z.object({
        unsent: Count.meta({ description: "Those that wait, that no server took, or that there is no server for" }),
        stuck_seconds: Seconds.nullable().meta({
          description: "How long a mail has waited since whose creation none was sent; null where there is none",
        }),
      }),
      requests: z.object({
        waiting: Count.meta({ description: "Trials and offers that are asked for and not decided" }),
      }),
      database: z.object({
        version: z.string(),
        bytes: Count,
        connections: Count,
        connections_max: Count,
      }),
    }),
  },
  organizations: {
    method: "GET",
    path: "/v1/operator/organizations",
    summary: "All organizations, by name, uuid, or the address of one of their people",
    access: "operator",
    query: Paging.extend({
      search: Search.optional(),
      license: z.enum(["active", "inactive", "expired"]).optional(),
      ordering: orderingOf(["name", "created_at"], "name"),
    }),
    reply: pageOf(ListedOrganization),
    fails: ["PAGE_TOO_LARGE"],
  },
  organization: {
    method: "GET",
    path: "/v1/operator/organizations/:uuid",
    summary: "An organization: its license, its limits and its zone",
    access: "operator",
    params: ByUuid,
    reply: OperatedOrganization,
    fails: ["ORGANIZATION_NOT_FOUND"],
  },
  setTerms: {
    method: "PUT",
    path: "/v1/operator/organizations/:uuid",
    summary: "Change the license, the limits and the zone of an organization",
    access: "operator",
    audit: ["organization.set_license", "organization.set_limit", "organization.set_zone"],
    params: ByUuid,
    body: Reason.extend({
      license: License.extend({
        is_unpaid: z
          .literal(false)
          .meta({ description: "Devices may start although a plan that has ended was not paid" }),
      })
        .partial()
        .optional(),
      limits: OrganizationLimits.partial().optional(),
      zone: Zone.optional(),
    }),
    reply: OperatedOrganization,
    fails: ["ORGANIZATION_NOT_FOUND", "PLAN_RENEWS", "PLAN_SUSPENDED"],
  },
  people: {
    method: "GET",
    path: "/v1/operator/organizations/:uuid/people",
    summary: "The people of an organization",
    access: "operator",
    params: ByUuid,
    query: Paging.extend({
      search: Search.optional(),
      ordering: orderingOf(["email", "created_at", "last_sign_in_at"], "email"),
    }),
    reply: pageOf(OperatedPerson),
    fails: ["ORGANIZATION_NOT_FOUND", "PAGE_TOO_LARGE"],
  },
  setStatus: {
    method: "PUT",
    path: "/v1/operator/people/:uuid/status",
    summary: "Let somebody in, or deny them access, which ends their sessions",
    access: "operator",
    audit: ["user.enable", "user.disable"],
    params: ByUuid,
    body: Reason.extend({ is_enabled: z.boolean() }),
    status: 204,
    fails: ["USER_NOT_FOUND"],
  },
  removeSecondFactors: {
    method: "DELETE",
    path: "/v1/operator/people/:uuid/second-factor",
    summary:
      "Remove the second factors of somebody who has lost theirs, passkeys too, and end their sessions; they are told by mail. It takes your password",
    access: "operator",
    audit: ["second_factor.remove"],
    ownPagesOnly: true,
    params: ByUuid,
    body: Reason.extend(Proof.shape),
    status: 204,
    fails: [...proofFails, "USER_NOT_FOUND", "SECOND_FACTOR_MISSING"],
  },
  setGateway: {
    method: "PUT",
    path: "/v1/operator/gateways/:id",
    summary: "Have a gateway drain: it takes no new devices, and those that run go on; or have it take devices again",
    access: "operator",
    audit: ["gateway.drain", "gateway.undrain"],
    params: z.object({ id: Name }),
    body: z.object({ is_draining: z.boolean() }),
    status: 204,
    fails: ["GATEWAY_NOT_FOUND"],
  },
  jobs: {
    method: "GET",
    path: "/v1/operator/jobs",
    summary: "Background work, the latest first: mails that wait to be sent are jobs too",
    access: "operator",
    query: Paging.extend({
      search: Search.optional().meta({ description: "In the name and in the last error" }),
      state: listOf(z.enum(jobStates), jobStates.length),
      ordering: orderingOf(["id", "name", "attempts"], "-id"),
    }),
    reply: pageOf(Job),
    fails: ["PAGE_TOO_LARGE"],
  },
  retryJobs: {
    method: "POST",
    path: "/v1/operator/jobs/retry",
    summary: "Try all failed jobs again, or those of one name",
    access: "operator",
    audit: ["job.retry"],
    body: z.object({ name: z.string().max(limits.textLength).optional() }),
    reply: z.object({ count: Count }),
  },
  retryJob: {
    method: "POST",
    path: "/v1/operator/jobs/:id/retry",
    summary: "Try a failed job again",
    access: "operator",
    audit: ["job.retry"],
    params: ByJob,
    status: 204,
    fails: ["JOB_NOT_FOUND"],
  },
  discardJob: {
    method: "DELETE",
    path: "/v1/operator/jobs/:id",
    summary: "Give up a job that waits, or take one that has failed off what needs attention",
    access: "operator",
    audit: ["job.discard"],
    params: ByJob,
    status: 204,
    fails: ["JOB_NOT_FOUND"],
  },
  offer: {
    method: "POST",
    path: "/v1/operator/offer",
    summary: "Make an official recipe of a device that is there already: its hardware profile and its image",
    access: "operator",
    audit: ["catalogue.offer"],
    body: z.object({
      gateway: z.string().max(limits.textLength),
      runtime: z.string().max(limits.textLength),
      key: z.string().max(limits.textLength),
    }),
    status: 201,
    reply: z.object({ uuid: Uuid, name: z.string() }),
    fails: ["FOUND_DEVICE_NOT_FOUND"],
  },
  catalogue: {
    method: "GET",
    path: "/v1/operator/catalogue",
    summary: "The official recipes, and the images that they are made of",
    access: "operator",
    reply: z.object({
      recipes: z.array(
        z.object({
          uuid: Uuid,
          name: z.string(),
          status: z.string(),
          arch: z.string().nullable(),
          os_version: z.string().nullable(),
          image_status: z.string().nullable(),
          runtime: z.string().nullable(),
          is_runtime_configured: z.boolean(),
          running_instances: Count,
        }),
      ),
    }),
  },
});
