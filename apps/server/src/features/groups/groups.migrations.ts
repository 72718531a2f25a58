import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

const notifies = (table: string) =>
  ["INSERT", "UPDATE", "DELETE"].map(
    (event) => `CREATE TRIGGER ${table}_${event.toLowerCase()} AFTER ${event} ON ${table}
      FOR EACH ROW EXECUTE FUNCTION notify_${table}_changed()`,
  );

export const groupMigrations: MigrationSteps = {
  "0068-groups": statements(
    `CREATE TABLE groups (
      uuid uuid PRIMARY KEY,
      organization_uuid uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
      parent_uuid uuid CHECK (parent_uuid <> uuid),
      name text NOT NULL,
      description text NOT NULL DEFAULT '',
      is_default boolean NOT NULL DEFAULT false,
      group_allocation integer CHECK (group_allocation >= 0),
      created_at timestamptz NOT NULL,
      UNIQUE (organization_uuid, uuid),
      FOREIGN KEY (organization_uuid, parent_uuid) REFERENCES groups (organization_uuid, uuid)
    )`,
    `CREATE UNIQUE INDEX groups_name ON groups (organization_uuid, lower(name))`,
    `CREATE UNIQUE INDEX groups_default ON groups (organization_uuid) WHERE is_default`,
    `CREATE INDEX groups_parent ON groups (parent_uuid)`,
    `CREATE TABLE group_users (
      group_uuid uuid NOT NULL REFERENCES groups ON DELETE CASCADE,
      user_uuid uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      PRIMARY KEY (group_uuid, user_uuid)
    )`,
    `CREATE INDEX group_users_user ON group_users (user_uuid)`,
    // As if everybody had joined after there were groups.
    `INSERT INTO groups (uuid, organization_uuid, name, is_default, created_at)
      SELECT gen_random_uuid(), uuid, 'Default group', true, created_at FROM organizations`,
    `INSERT INTO group_users (group_uuid, user_uuid)
      SELECT groups.uuid, users.uuid FROM users JOIN groups USING (organization_uuid)`,
    `CREATE FUNCTION notify_groups_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM pg_notify('groups_changed', coalesce(NEW.organization_uuid, OLD.organization_uuid)::text);
      RETURN NULL;
    END $$`,
    // The rows of a group that is gone end with it, which was notified of.
    `CREATE FUNCTION notify_group_users_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM pg_notify('groups_changed', organization_uuid::text) FROM groups
        WHERE uuid = coalesce(NEW.group_uuid, OLD.group_uuid);
      RETURN NULL;
    END $$`,
    ...notifies("groups"),
    ...notifies("group_users"),
  ),
  // Servers from before there were groups do not write it, so it shows whom they have added, also until now. Only the audit log shows who
  // is in no group because a manager has removed them.
  "0086-joined-groups": statements(
    `ALTER TABLE users ADD COLUMN has_joined_groups boolean NOT NULL DEFAULT false`,
    `UPDATE users SET has_joined_groups = true WHERE organization_uuid IS NOT NULL AND (
      EXISTS (SELECT FROM group_users WHERE user_uuid = users.uuid)
      OR EXISTS (SELECT FROM audit_records WHERE subject_uuid = users.uuid AND action = 'group.remove_user'
        AND outcome = 'done'))`,
    `CREATE INDEX users_late ON users (organization_uuid) WHERE organization_uuid IS NOT NULL AND NOT has_joined_groups`,
  ),
};
