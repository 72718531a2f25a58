import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const liveSessionMigrations: MigrationSteps = {
  "0090-live-sessions": statements(
    `CREATE TABLE live_sessions (
      uuid uuid PRIMARY KEY,
      instance_uuid uuid NOT NULL UNIQUE REFERENCES instances ON DELETE CASCADE,
      created_at timestamptz NOT NULL
    )`,
    `CREATE TABLE live_session_participants (
      uuid uuid PRIMARY KEY,
      live_session_uuid uuid NOT NULL REFERENCES live_sessions ON DELETE CASCADE,
      instance_uuid uuid NOT NULL,
      user_uuid uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      can_control boolean NOT NULL DEFAULT true,
      created_at timestamptz NOT NULL,
      UNIQUE (instance_uuid, user_uuid)
    )`,
    `CREATE INDEX live_session_participants_session ON live_session_participants (live_session_uuid)`,
    `CREATE INDEX live_session_participants_user ON live_session_participants (user_uuid)`,
    // Triggers, so that all who look at the device or at the list are notified, whoever wrote the rows.
    `CREATE FUNCTION notify_live_session_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      changed record;
      session uuid;
      subject uuid;
    BEGIN
      IF TG_OP = 'DELETE' THEN changed := OLD; ELSE changed := NEW; END IF;
      IF TG_TABLE_NAME = 'live_sessions' THEN
        session := changed.uuid;
        SELECT owner_uuid INTO subject FROM instances WHERE uuid = changed.instance_uuid;
      ELSE
        session := changed.live_session_uuid;
        subject := changed.user_uuid;
      END IF;
      PERFORM pg_notify('live_session_changed', json_build_object('uuid', session, 'instance_uuid', changed.instance_uuid,
        'subject', subject, 'what', TG_OP, 'others', ARRAY(
          SELECT user_uuid FROM live_session_participants WHERE instance_uuid = changed.instance_uuid
          UNION SELECT owner_uuid FROM instances WHERE uuid = changed.instance_uuid
          EXCEPT SELECT subject))::text);
      RETURN NULL;
    END $$`,
    `CREATE TRIGGER live_session_changed AFTER INSERT OR DELETE ON live_sessions FOR EACH ROW
      EXECUTE FUNCTION notify_live_session_changed()`,
    `CREATE TRIGGER live_session_participant_changed AFTER INSERT OR UPDATE OR DELETE ON live_session_participants FOR EACH ROW
      EXECUTE FUNCTION notify_live_session_changed()`,
    // It ends in the transaction that ends its device.
    `CREATE FUNCTION end_live_session() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      DELETE FROM live_sessions WHERE instance_uuid = NEW.uuid;
      RETURN NULL;
    END $$`,
    `CREATE TRIGGER live_session_ended AFTER UPDATE OF state ON instances FOR EACH ROW
      WHEN (OLD.state <> NEW.state AND NEW.state IN ('STOPPING', 'DELETING', 'DELETED', 'ERROR', 'REVOKED', 'EXPIRED'))
      EXECUTE FUNCTION end_live_session()`,
  ),
};
