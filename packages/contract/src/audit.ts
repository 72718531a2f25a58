import { z } from "zod";
import { auditActions } from "./audit-actions.ts";
import { GivenUuid, Key, listOf, Time } from "./fields.ts";
import { limits } from "./limits.ts";
import { tag } from "./openapi-tags.ts";
import { routes } from "./routes.ts";

/** One record of the audit log: who did what to whom, when, and from where. */
export const AuditEntry = z.object({
  /** Greater in later records; the key of pages. */
  id: z.int(),
  at: Time,
  action: z.string(),
  /** Whether it was done, or refused. */
  outcome: z.string(),
  actor: z.object({
    /** `provisioning` is the organization's directory, `operator` whoever runs the installation, `service` Terrarium itself; `nobody` had not signed in. */
    kind: z.string(),
    uuid: z.uuid().nullable(),
    /** Null for who is not in your organization, or not any more. */
    email: z.string().nullable(),
  }),
  /** The session or API token that was used. */
  credential_uuid: z.uuid().nullable(),
  subject: z.object({ kind: z.string(), uuid: z.uuid(), email: z.string().nullable() }).nullable(),
  address: z.string().nullable(),
  request_id: z.string().nullable(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

const Action = z.enum(auditActions);

/** What records to show; each narrows it down. */
const AuditFilter = z.object({
  actor: Key.optional().meta({ description: "Who did it: an e-mail address, a uuid, or part of an address or a name" }),
  person: Key.optional().meta({ description: "Who did it or whom it concerns: an e-mail address or a uuid" }),
  action: listOf(Action, auditActions.length),
  subject: GivenUuid.optional(),
  outcome: z.enum(["done", "refused"]).optional(),
  since: Time.optional(),
  until: Time.optional().meta({ description: "Not included" }),
});
export type AuditFilter = z.output<typeof AuditFilter>;

export const auditTag = tag("Your organization", "Audit log", "Who did what.");

export const audit = routes({
  list: {
    method: "GET",
    path: "/v1/audit",
    summary: "The audit log of your organization, the latest first, page by page",
    access: "manager",
    scope: "admin",
    query: AuditFilter.extend({
      before: z.coerce
        .number<string | number>()
        .int()
        .positive()
        .optional()
        .meta({ description: "`next` of the page before" }),
      page_size: z.coerce.number<string | number>().int().min(1).max(limits.pageSizeMax).default(limits.pageSize),
    }),
    reply: z.object({ results: z.array(AuditEntry), next: z.int().nullable() }),
  },
  export: {
    method: "GET",
    path: "/v1/audit/export",
    summary: "The audit log of your organization as a file: CSV for spreadsheets, or one JSON object a line",
    access: "manager",
    audit: ["organization.export_audit"],
    scope: "admin",
    query: AuditFilter.extend({ format: z.enum(["csv", "jsonl"]).default("csv") }),
    reply: { kind: "bytes", types: ["text/csv", "application/jsonl"] },
    fails: ["TOO_MANY_REQUESTS"],
  },
});
