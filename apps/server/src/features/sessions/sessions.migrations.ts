import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const sessionMigrations: MigrationSteps = {
  "0001-foundation": statements(
    `CREATE TABLE sessions (
      uuid uuid PRIMARY KEY,
      user_uuid uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      created_at timestamptz NOT NULL,
      ended_at timestamptz
    )`,
    `CREATE INDEX sessions_user ON sessions (user_uuid)`,
  ),
  // Triggers, so that processes are also notified of changes that were made with psql.
  "0015-notify-of-lost-rights": statements(
    `CREATE FUNCTION notify_credential_ended() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM pg_notify('credential_ended', OLD.uuid::text);
      RETURN NULL;
    END $$`,
    `CREATE TRIGGER session_ended AFTER UPDATE OF ended_at ON sessions FOR EACH ROW
      WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL) EXECUTE FUNCTION notify_credential_ended()`,
    `CREATE TRIGGER session_deleted AFTER DELETE ON sessions FOR EACH ROW
      WHEN (OLD.ended_at IS NULL) EXECUTE FUNCTION notify_credential_ended()`,
    `CREATE TRIGGER api_token_deleted AFTER DELETE ON api_tokens FOR EACH ROW
      EXECUTE FUNCTION notify_credential_ended()`,
    `CREATE FUNCTION notify_user_disabled() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM pg_notify('credential_ended', held.uuid::text) FROM (
        SELECT uuid FROM sessions WHERE user_uuid = NEW.uuid AND ended_at IS NULL
        UNION ALL SELECT uuid FROM api_tokens WHERE user_uuid = NEW.uuid
      ) AS held;
      RETURN NULL;
    END $$`,
    `CREATE TRIGGER user_disabled AFTER UPDATE OF is_enabled ON users FOR EACH ROW
      WHEN (OLD.is_enabled AND NOT NEW.is_enabled) EXECUTE FUNCTION notify_user_disabled()`,
    `CREATE FUNCTION notify_role_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM pg_notify('role_changed', NEW.uuid::text);
      RETURN NULL;
    END $$`,
    `CREATE TRIGGER user_role_changed AFTER UPDATE OF is_organization_manager, organization_uuid ON users FOR EACH ROW
      WHEN ((OLD.is_organization_manager, OLD.organization_uuid) IS DISTINCT FROM
        (NEW.is_organization_manager, NEW.organization_uuid)) EXECUTE FUNCTION notify_role_changed()`,
  ),
  "0018-live-sessions": statements(
    `CREATE INDEX sessions_live ON sessions (user_uuid, created_at DESC) WHERE ended_at IS NULL`,
  ),
  "0056-sessions-and-places": statements(
    `ALTER TABLE sessions
      ADD COLUMN generation integer NOT NULL DEFAULT 0,
      ADD COLUMN rotated_at timestamptz,
      ADD COLUMN user_agent text NOT NULL DEFAULT '',
      ADD COLUMN address text,
      ADD COLUMN last_used_at timestamptz`,
  ),
  "0071-vouched-sessions": statements(`ALTER TABLE sessions ADD COLUMN vouched_by uuid`),
  "0086-way-of-session": statements(`ALTER TABLE sessions ADD COLUMN way text`),
};
