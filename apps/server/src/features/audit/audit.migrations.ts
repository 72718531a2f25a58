import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const auditMigrations: MigrationSteps = {
  "0016-audit-records": statements(
    `CREATE TABLE audit_records (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      at timestamptz NOT NULL,
      action text NOT NULL,
      outcome text NOT NULL CHECK (outcome IN ('done', 'refused')),
      actor_kind text NOT NULL CHECK (actor_kind IN ('user', 'token', 'operator', 'service', 'nobody')),
      actor_uuid uuid,
      credential_uuid uuid,
      organization_uuid uuid,
      subject_kind text,
      subject_uuid uuid,
      address text,
      request_id text,
      details jsonb NOT NULL CHECK (octet_length(details::text) <= 4096)
    )`,
    `CREATE INDEX audit_records_age ON audit_records (at)`,
    `CREATE INDEX audit_records_organization ON audit_records (organization_uuid, id)`,
    // The service owns the table, so permissions could not stop it from changing records. Only retention may delete. An empty table may be
    // emptied, as the restore of a backup does.
    `CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF TG_OP = 'DELETE' AND current_setting('terrarium.audit_retention', true) = 'on' THEN RETURN OLD; END IF;
      IF TG_OP = 'TRUNCATE' AND NOT EXISTS (SELECT FROM audit_records) THEN RETURN NULL; END IF;
      RAISE EXCEPTION 'audit records cannot be changed';
    END $$`,
    `CREATE TRIGGER audit_records_append_only BEFORE UPDATE OR DELETE ON audit_records FOR EACH ROW
      EXECUTE FUNCTION refuse_audit_change()`,
    `CREATE TRIGGER audit_records_not_truncated BEFORE TRUNCATE ON audit_records FOR EACH STATEMENT
      EXECUTE FUNCTION refuse_audit_change()`,
  ),
  // What is held on a person.
  "0061-audit-by-person": statements(
    `CREATE INDEX audit_records_actor ON audit_records (actor_uuid, id)`,
    `CREATE INDEX audit_records_subject ON audit_records (subject_uuid, id)`,
  ),
  "0074-audit-chain": statements(
    `ALTER TABLE audit_records ADD COLUMN position bigint, ADD COLUMN hash bytea,
      ADD CHECK ((position IS NULL) = (hash IS NULL))`,
    `CREATE UNIQUE INDEX audit_records_position ON audit_records (position) WHERE position IS NOT NULL`,
    `CREATE INDEX audit_records_unsealed ON audit_records (id) WHERE position IS NULL`,
    `CREATE TABLE audit_chain (
      is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
      position bigint NOT NULL,
      hash bytea NOT NULL,
      deleted_position bigint NOT NULL,
      deleted_hash bytea NOT NULL
    )`,
    `INSERT INTO audit_chain VALUES (true, 0, decode(repeat('00', 32), 'hex'), 0, decode(repeat('00', 32), 'hex'))`,
    // Position and hash are given once; nothing else ever changes.
    `DROP TRIGGER audit_records_append_only ON audit_records`,
    `CREATE TRIGGER audit_records_append_only BEFORE DELETE OR UPDATE OF id, at, action, outcome, actor_kind, actor_uuid,
      credential_uuid, organization_uuid, subject_kind, subject_uuid, address, request_id, details ON audit_records
      FOR EACH ROW EXECUTE FUNCTION refuse_audit_change()`,
    `CREATE TRIGGER audit_records_sealed_once BEFORE UPDATE OF position, hash ON audit_records FOR EACH ROW
      WHEN (OLD.position IS NOT NULL) EXECUTE FUNCTION refuse_audit_change()`,
  ),
  // The records that are there satisfy the former list.
  "0082-provisioning": statements(
    `ALTER TABLE audit_records DROP CONSTRAINT audit_records_actor_kind_check, ADD CONSTRAINT audit_records_actor_kind_check
      CHECK (actor_kind IN ('user', 'token', 'provisioning', 'operator', 'service', 'nobody')) NOT VALID`,
  ),
};
