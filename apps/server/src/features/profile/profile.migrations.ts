import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

/** Whatever refers to people without ending with them: until the transaction ends it may refer to nobody. */
const lasting = ["instances", "recipes", "hardware_profiles", "os_images"];

export const profileMigrations: MigrationSteps = {
  "0054-ends-of-accounts": statements(
    `ALTER TABLE users ADD COLUMN last_sign_in_at timestamptz, ADD COLUMN deletion_notice_at timestamptz,
      ADD COLUMN deleted_at timestamptz`,
    // Sessions that ended are forgotten: who has none left may have used their account lately.
    `UPDATE users SET last_sign_in_at =
      coalesce((SELECT max(created_at) FROM sessions WHERE user_uuid = users.uuid), now())`,
    `CREATE INDEX users_deleted ON users (uuid) WHERE deleted_at IS NOT NULL`,
    ...lasting.map(
      (table) => `ALTER TABLE ${table} ALTER CONSTRAINT ${table}_owner_uuid_fkey DEFERRABLE INITIALLY IMMEDIATE`,
    ),
    `CREATE FUNCTION note_sign_in() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      UPDATE users SET last_sign_in_at = NEW.created_at, deletion_notice_at = NULL WHERE uuid = NEW.user_uuid;
      RETURN NULL;
    END $$`,
    `CREATE TRIGGER session_begun AFTER INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION note_sign_in()`,
  ),
  "0067-sent-notices": statements(
    `ALTER TABLE users ADD COLUMN deletion_notice_mail uuid`,
    `CREATE OR REPLACE FUNCTION note_sign_in() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      UPDATE users SET last_sign_in_at = NEW.created_at, deletion_notice_mail = NULL, deletion_notice_at = NULL
        WHERE uuid = NEW.user_uuid;
      RETURN NULL;
    END $$`,
    // Those were the times when notices were written; whether they were sent is not known. Others are written.
    `UPDATE users SET deletion_notice_at = NULL WHERE deletion_notice_at IS NOT NULL`,
  ),
};
