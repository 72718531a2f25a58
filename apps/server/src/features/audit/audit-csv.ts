import type { AuditEntry } from "@terrarium/contract";

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

/** With a mark for Excel, which otherwise takes UTF-8 for something else. */
export const csvHead = `\uFEFF${Object.keys(columns).join(",")}\r\n`;

/** A record as a line (RFC 4180). */
export const csvLine = (entry: AuditEntry): string =>
  `${Object.values(columns)
    .map((cellOf) => cell(cellOf(entry) ?? ""))
    .join(",")}\r\n`;

/** Text that a spreadsheet would take for a formula gets an apostrophe in front, which makes it text. */
function cell(text: string): string {
  const plain = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
