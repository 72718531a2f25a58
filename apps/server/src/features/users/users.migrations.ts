import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const userMigrations: MigrationSteps = {
  "0001-foundation": statements(
    `CREATE TABLE users (
      uuid uuid PRIMARY KEY,
      email text NOT NULL UNIQUE CHECK (email = lower(email)),
      first_name text NOT NULL DEFAULT '',
      last_name text NOT NULL DEFAULT '',
      password_hash text,
      organization_uuid uuid REFERENCES organizations,
      is_organization_manager boolean NOT NULL DEFAULT false,
      is_enabled boolean NOT NULL DEFAULT true,
      is_validated boolean NOT NULL DEFAULT false,
      tnc_accepted_at timestamptz,
      front_preferences jsonb NOT NULL DEFAULT '{}',
      created_at timestamptz NOT NULL,
      CHECK (organization_uuid IS NOT NULL OR NOT is_organization_manager)
    )`,
    `CREATE INDEX users_organization ON users (organization_uuid)`,
  ),
  "0019-disabled-with-demo": statements(
    `ALTER TABLE users ADD COLUMN disabled_with_demo boolean NOT NULL DEFAULT false`,
    // Until now only the audit log showed who had disabled an account.
    `UPDATE users SET disabled_with_demo = true WHERE NOT is_enabled AND 'service' = (
      SELECT actor_kind FROM audit_records WHERE subject_uuid = users.uuid AND action IN ('user.enable', 'user.disable')
      ORDER BY id DESC LIMIT 1)`,
  ),
  "0056-sessions-and-places": statements(
    `CREATE TABLE sign_in_places (
      user_uuid uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      mark bytea NOT NULL,
      created_at timestamptz NOT NULL,
      seen_at timestamptz NOT NULL,
      PRIMARY KEY (user_uuid, mark)
    )`,
    `CREATE FUNCTION notify_user_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM pg_notify('user_changed', NEW.uuid::text);
      RETURN NULL;
    END $$`,
    `CREATE TRIGGER user_changed AFTER UPDATE ON users FOR EACH ROW
      WHEN ((OLD.email, OLD.first_name, OLD.last_name, OLD.organization_uuid, OLD.is_organization_manager, OLD.is_enabled,
          OLD.is_validated, OLD.tnc_accepted_at) IS DISTINCT FROM
        (NEW.email, NEW.first_name, NEW.last_name, NEW.organization_uuid, NEW.is_organization_manager, NEW.is_enabled,
          NEW.is_validated, NEW.tnc_accepted_at)) EXECUTE FUNCTION notify_user_changed()`,
  ),
  "0084-operators": statements(
    `ALTER TABLE users ADD COLUMN is_operator boolean NOT NULL DEFAULT false,
      ADD CONSTRAINT users_operator_is_no_customer CHECK (NOT is_operator OR organization_uuid IS NULL)`,
    // Whatever else goes wrong, nobody who has an account becomes an operator.
    `CREATE FUNCTION refuse_operator_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION 'an account is of an operator or of a customer, for good';
    END $$`,
    `CREATE TRIGGER users_operator_for_good BEFORE UPDATE ON users FOR EACH ROW
      WHEN (OLD.is_operator IS DISTINCT FROM NEW.is_operator) EXECUTE FUNCTION refuse_operator_change()`,
  ),
  "0086-disabled-by-operator": statements(
    `ALTER TABLE users ADD COLUMN disabled_by_operator boolean NOT NULL DEFAULT false`,
    // Until now only the audit log showed who had disabled an account.
    `UPDATE users SET disabled_by_operator = true WHERE NOT is_enabled AND 'operator' = (
      SELECT actor_kind FROM audit_records WHERE subject_uuid = users.uuid AND outcome = 'done'
        AND action IN ('user.enable', 'user.disable')
      ORDER BY id DESC LIMIT 1)`,
  ),
  "0087-disabled-by": statements(
    `ALTER TABLE users ADD COLUMN disabled_by text CHECK (disabled_by IN ('directory', 'manager', 'demo', 'operator'))`,
    `UPDATE users SET disabled_by = CASE WHEN disabled_by_operator THEN 'operator' WHEN disabled_with_demo THEN 'demo' ELSE (
        SELECT CASE WHEN action = 'user.enable' THEN NULL WHEN actor_kind = 'provisioning' THEN 'directory' ELSE 'manager' END
        FROM audit_records
        WHERE subject_uuid = users.uuid AND outcome = 'done' AND (action IN ('user.enable', 'user.disable')
          OR action = 'user.create' AND actor_kind = 'provisioning')
        ORDER BY id DESC LIMIT 1) END
      WHERE NOT is_enabled AND deleted_at IS NULL`,
    `ALTER TABLE users DROP COLUMN disabled_by_operator, DROP COLUMN disabled_with_demo`,
  ),
};
