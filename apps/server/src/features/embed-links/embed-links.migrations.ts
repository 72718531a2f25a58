import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const embedLinkMigrations: MigrationSteps = {
  "0131-embed-links": statements(
    `ALTER TABLE organizations ADD COLUMN embed_origins text[] NOT NULL DEFAULT '{}'`,
    `CREATE INDEX organizations_embed_origins ON organizations USING gin (embed_origins)`,
    `CREATE TABLE embed_links (
      uuid uuid PRIMARY KEY,
      key_hash bytea NOT NULL UNIQUE,
      instance_uuid uuid NOT NULL REFERENCES instances ON DELETE CASCADE,
      user_uuid uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      credential_uuid uuid NOT NULL,
      can_control boolean NOT NULL,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL
    )`,
    `CREATE INDEX embed_links_instance ON embed_links (instance_uuid)`,
    `CREATE INDEX embed_links_user ON embed_links (user_uuid)`,
    // What shows a device by a link that has been ended is disconnected, as with a session that has.
    `CREATE TRIGGER embed_link_deleted AFTER DELETE ON embed_links FOR EACH ROW
      EXECUTE FUNCTION notify_credential_ended()`,
  ),
};
