import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const provisioningMigrations: MigrationSteps = {
  "0082-provisioning": statements(
    `CREATE TABLE provisioning_tokens (
      uuid uuid PRIMARY KEY,
      organization_uuid uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
      token_hash bytea NOT NULL UNIQUE,
      prefix text NOT NULL,
      created_at timestamptz NOT NULL,
      last_access timestamptz
    )`,
    `CREATE INDEX provisioning_tokens_organization ON provisioning_tokens (organization_uuid)`,
  ),
};
