import { sql } from "kysely";
import type { HeldLists } from "../../database/held.ts";

export const held: HeldLists = {
  // In two halves, each of which is read in order from an index.
  audit: ({ uuid }) => sql`
    SELECT id AS key, ${auditRow(uuid)} AS row FROM audit_records WHERE actor_uuid = ${uuid}
    UNION ALL
    SELECT id, ${auditRow(uuid)} FROM audit_records
    WHERE subject_uuid = ${uuid} AND actor_uuid IS DISTINCT FROM ${uuid}`,
};

const auditRow = (uuid: string) => sql`json_build_object('at', at, 'action', action, 'outcome', outcome,
      'actor', actor_uuid, 'subject_kind', subject_kind, 'subject', subject_uuid,
      'address', CASE WHEN actor_uuid = ${uuid} THEN address END, 'details', details)`;
