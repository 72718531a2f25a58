import type { ColumnType, Generated, JSONColumnType } from "kysely";
import type { Time } from "../../platform/db/columns.ts";

export type AuditDetails = Record<string, string | number | boolean | null>;

/**
 * Who did what, or was refused. Records are only ever added; see the migrations. They refer to rows by identifier without a foreign
 * key, as they outlive them, and name people in no other way.
 */
export interface AuditRecordTable {
  id: Generated<number>;
  at: Time;
  action: string;
  outcome: string;
  actor_kind: string;
  /** The user who acted, also with an API token. */
  actor_uuid: string | null;
  /** The session or the API token that was used. */
  credential_uuid: string | null;
  /** Whose managers may read it. */
  organization_uuid: string | null;
  subject_kind: string | null;
  subject_uuid: string | null;
  address: string | null;
  request_id: string | null;
  /** Never secrets; at most 4 KB. */
  details: JSONColumnType<AuditDetails>;
  /** In the hash chain; null until it is sealed, which is seconds later. */
  position: ColumnType<number | null, never, never>;
  hash: ColumnType<Buffer | null, never, never>;
}

/** The two ends of the hash chain, in one row. */
export interface AuditChainTable {
  is_only: Generated<boolean>;
  /** The last record that was sealed; 0 if none was. */
  position: number;
  hash: Buffer;
  /** The last record that was deleted for its age. */
  deleted_position: number;
  deleted_hash: Buffer;
}

declare module "../../database/schema.ts" {
  interface Schema {
    audit_records: AuditRecordTable;
    audit_chain: AuditChainTable;
  }
}
