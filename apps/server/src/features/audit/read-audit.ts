import type { Answer, AuditEntry, AuditFilter, Contract } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { type Limit, MAX_WINDOW_MS } from "../../platform/rate-limits/database-rate-limiter.ts";
import type { By } from "./by.ts";
import { csvHead, csvLine } from "./audit-csv.ts";
import { findPerson, findRecords, type FoundRecord, namesOne, type RecordFilter } from "./read-audit.store.ts";
import type { LimitedDeps } from "../deps.ts";

export type ReadAuditDeps = LimitedDeps;

export const exportsOfOrganization: Limit = { name: "exports of the audit log", max: 20, windowMs: MAX_WINDOW_MS };
/** Records that an export holds at once. */
const EXPORTED_AT_ONCE = 500;

/** A page of an organization's records; `next` is the key of the page after it, null if this is the last. */
export async function listRecords(
  { db }: Pick<ReadAuditDeps, "db">,
  organization: string,
  { before, page_size, ...wanted }: AuditFilter & { before?: number | undefined; page_size: number },
): Promise<Answer<Contract["audit"]["list"]>> {
  const filter = await filterOf(db, organization, wanted);
  const rows = filter ? await findRecords(db, filter, { before, limit: page_size + 1 }) : [];
  const results = rows.slice(0, page_size).map(entryOf);
  return { results, next: rows.length > page_size ? (results.at(-1)?.id ?? null) : null };
}

/**
 * An organization's records as a file, which is written as fast as it is read. That it was exported is recorded, before it begins.
 * @throws AppError TOO_MANY_REQUESTS
 */
export async function exportRecords(
  { db, clock, audit, limiter }: ReadAuditDeps,
  organization: string,
  { format, ...wanted }: AuditFilter & { format: "csv" | "jsonl" },
  by: By,
): Promise<Answer<Contract["audit"]["export"]>> {
  await limiter.take(exportsOfOrganization, organization);
  const filter = await filterOf(db, organization, wanted);
  await audit.record(db, by, {
    action: "organization.export_audit",
    subject: { kind: "organization", uuid: organization },
    details: { format },
  });
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  return {
    type: format === "csv" ? "text/csv" : "application/jsonl",
    fileName: `audit-${day}.${format}`,
    content: written(db, filter, format),
  };
}

async function* written(db: Database, filter: RecordFilter | undefined, format: "csv" | "jsonl") {
  const bytes = new TextEncoder();
  if (format === "csv") yield bytes.encode(csvHead);
  const lineOf = format === "csv" ? csvLine : (entry: AuditEntry) => `${JSON.stringify(entry)}\n`;
  let before: number | undefined;
  while (filter) {
    const rows = await findRecords(db, filter, { before, limit: EXPORTED_AT_ONCE });
    yield bytes.encode(rows.map((row) => lineOf(entryOf(row))).join(""));
    before = rows.at(-1)?.id;
    if (rows.length < EXPORTED_AT_ONCE) return;
  }
}

/** Undefined if a person is wanted whom the organization does not have. */
async function filterOf(
  db: Database,
  organization: string,
  { actor: acting, person: key, action, subject, outcome, since, until }: AuditFilter,
): Promise<RecordFilter | undefined> {
  const person = key === undefined ? undefined : await findPerson(db, organization, key);
  if (key !== undefined && person === undefined) return undefined;
  const isOne = acting !== undefined && namesOne(acting.trim());
  const actor = isOne ? await findPerson(db, organization, acting.trim()) : undefined;
  if (isOne && actor === undefined) return undefined;
  const time = (text: string | undefined) => (text === undefined ? undefined : new Date(text));
  return {
    organization,
    actor,
    actorLike: isOne ? undefined : acting?.trim() || undefined,
    person,
    actions: action,
    subject,
    outcome,
    since: time(since),
    until: time(until),
  };
}

/** What an organization may know of a record: neither where people of others are, nor which account of its computer the operator used. */
function entryOf(row: FoundRecord): AuditEntry {
  const isOutsider = row.actor_uuid !== null && row.actor_email === null;
  const { account: _, ...details } = row.details;
  return {
    id: row.id,
    at: row.at.toISOString(),
    action: row.action,
    outcome: row.outcome,
    actor: { kind: row.actor_kind, uuid: row.actor_uuid, email: row.actor_email },
    credential_uuid: isOutsider ? null : row.credential_uuid,
    subject:
      row.subject_kind && row.subject_uuid
        ? { kind: row.subject_kind, uuid: row.subject_uuid, email: row.subject_email }
        : null,
    address: isOutsider ? null : row.address,
    request_id: isOutsider ? null : row.request_id,
    details,
  };
}
