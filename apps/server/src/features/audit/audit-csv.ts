import type { AuditEntry } from "@terrarium/contract";
import { csvLine as lineOf, csvMark } from "../../platform/csv.ts";

const columns: Record<string, (entry: AuditEntry) => string | null | undefined> = {
  id: ({ id }) => String(id),
  at: ({ at }) => at,
  action: ({ action }) => action,
  outcome: ({ outcome }) => outcome,
  actor_kind: ({ actor }) => actor.kind,
  actor_email: ({ actor }) => actor.email,
  actor_uuid: ({ actor }) => actor.uuid,
  subject_kind: ({ subject }) => subject?.kind,
  subject_email: ({ subject }) => subject?.email,
  subject_uuid: ({ subject }) => subject?.uuid,
  address: ({ address }) => address,
  credential_uuid: ({ credential_uuid }) => credential_uuid,
  request_id: ({ request_id }) => request_id,
  details: ({ details }) => JSON.stringify(details),
};

export const csvHead = csvMark + lineOf(Object.keys(columns));

export const csvLine = (entry: AuditEntry): string =>
  lineOf(Object.values(columns).map((cellOf) => cellOf(entry) ?? ""));
