import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const apiTokenMigrations: MigrationSteps = {
  "0001-foundation": statements(
    `CREATE TABLE api_tokens (
      uuid uuid PRIMARY KEY,
      user_uuid uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      description text NOT NULL,
      token_hash bytea NOT NULL UNIQUE,
      created_at timestamptz NOT NULL,
      last_access timestamptz,
      UNIQUE (user_uuid, description)
    )`,
  ),
  "0017-api-token-scope": statements(
    `ALTER TABLE api_tokens ADD COLUMN can_manage_tokens boolean NOT NULL DEFAULT false`,
  ),
  // Tokens did what their owner may, except with tokens.
  "0060-api-token-scopes": statements(
    `ALTER TABLE api_tokens ADD COLUMN scope text CHECK (scope IN ('read', 'devices', 'admin')),
      ADD COLUMN prefix text NOT NULL DEFAULT '', ADD COLUMN expires_at timestamptz`,
    `UPDATE api_tokens SET scope = CASE WHEN can_manage_tokens THEN 'admin' ELSE 'devices' END`,
    `ALTER TABLE api_tokens ALTER COLUMN scope SET NOT NULL, DROP COLUMN can_manage_tokens`,
  ),
};
