import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";
import { clientSecrets } from "./client-secrets.ts";
import { sealPlainSecrets } from "./sso.store.ts";

export const ssoMigrations: MigrationSteps = {
  "0059-sso": statements(
    `CREATE TABLE identities (
      uuid uuid PRIMARY KEY,
      user_uuid uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      issuer text NOT NULL,
      subject text NOT NULL,
      provider text NOT NULL,
      label text NOT NULL,
      email text NOT NULL,
      created_at timestamptz NOT NULL,
      last_used_at timestamptz NOT NULL,
      UNIQUE (issuer, subject)
    )`,
    `CREATE INDEX identities_user ON identities (user_uuid)`,
    `CREATE TABLE sso_flows (
      state_hash bytea PRIMARY KEY,
      browser_hash bytea,
      provider text NOT NULL,
      organization_uuid uuid REFERENCES organizations ON DELETE CASCADE,
      nonce text NOT NULL,
      verifier text NOT NULL,
      redirect_uri text NOT NULL,
      route_to text,
      route_from text,
      invited_email text,
      user_uuid uuid REFERENCES users ON DELETE CASCADE,
      expires_at timestamptz NOT NULL
    )`,
    `CREATE INDEX sso_flows_expiry ON sso_flows (expires_at)`,
    `CREATE TABLE organization_providers (
      organization_uuid uuid PRIMARY KEY REFERENCES organizations ON DELETE CASCADE,
      domain text NOT NULL UNIQUE CHECK (domain = lower(domain)),
      issuer text NOT NULL,
      client_id text NOT NULL,
      client_secret text NOT NULL
    )`,
  ),
  "0066-sealed-client-secrets": async (db) => {
    await statements(`ALTER TABLE organization_providers ADD COLUMN sealed_secret bytea`)(db);
    await sealPlainSecrets(db, clientSecrets);
    await statements(
      `ALTER TABLE organization_providers DROP COLUMN client_secret, ALTER COLUMN sealed_secret SET NOT NULL`,
    )(db);
  },
  "0083-groups-claim": statements(
    `ALTER TABLE organization_providers ADD COLUMN groups_claim text`,
    // It ends with the provider, and with the group.
    `CREATE TABLE claim_groups (
      organization_uuid uuid NOT NULL REFERENCES organization_providers ON DELETE CASCADE,
      value text NOT NULL,
      group_uuid uuid NOT NULL,
      position integer NOT NULL,
      PRIMARY KEY (organization_uuid, value),
      FOREIGN KEY (organization_uuid, group_uuid) REFERENCES groups (organization_uuid, uuid) ON DELETE CASCADE
    )`,
    `CREATE INDEX claim_groups_group ON claim_groups (group_uuid)`,
  ),
};
