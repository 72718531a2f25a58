import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const invitationMigrations: MigrationSteps = {
  "0058-invitations": statements(
    `CREATE TABLE invitations (
      uuid uuid PRIMARY KEY,
      organization_uuid uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
      email text NOT NULL CHECK (email = lower(email)),
      inviter_uuid uuid REFERENCES users ON DELETE SET NULL,
      message text NOT NULL,
      key_hash bytea NOT NULL UNIQUE,
      created_at timestamptz NOT NULL,
      sent_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      UNIQUE (organization_uuid, email)
    )`,
    `CREATE INDEX invitations_inviter ON invitations (inviter_uuid)`,
  ),
  "0070-invitation-mails": statements(`ALTER TABLE invitations ADD COLUMN mail_uuid uuid`),
};
