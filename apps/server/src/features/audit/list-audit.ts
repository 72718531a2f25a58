import type { Database } from "../../database/schema.ts";
import { findUserByName, listLatest } from "./audit.store.ts";

/** A record for the operator. */
export interface AuditRecord {
  at: string;
  action: string;
  outcome: string;
  /** An e-mail address, or what kind of actor it was. */
  actor: string;
  /** An e-mail address, or a kind of thing with its identifier. */
  subject: string | null;
  organization: string | null;
  credential: string | null;
  address: string | null;
  request: string | null;
  details: Record<string, unknown>;
}

/** The latest records, the oldest of them first. Throws if an address is given that nobody has. */
export async function listAudit(
  db: Database,
  { count, email }: { count: number; email?: string | undefined },
): Promise<AuditRecord[]> {
  const user = email === undefined ? undefined : await findUserByName(db, email.trim().toLowerCase());
  if (email !== undefined && !user) throw new Error(`Nobody has the address ${email}.`);
  return (await listLatest(db, count, user?.uuid)).map((row) => ({
    at: row.at.toISOString(),
    action: row.action,
    outcome: row.outcome,
    actor: row.actor_email ?? (row.actor_uuid ? `${row.actor_kind} ${row.actor_uuid}` : row.actor_kind),
    subject: row.subject_email ?? (row.subject_kind && `${row.subject_kind} ${row.subject_uuid}`),
    organization: row.organization_uuid,
    credential: row.credential_uuid,
    address: row.address,
    request: row.request_id,
    details: row.details,
  }));
}
