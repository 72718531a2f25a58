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
    // The service owns the table, so permissions could not keep it from changing records. Only the retention may delete. An empty
    // table may be emptied, as the restore of a backup does.
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
};
