import type { OptionalTime, Time } from "../../platform/db/columns.ts";

/** What an organization's directory signs in with. */
export interface ProvisioningTokenTable {
  uuid: string;
  organization_uuid: string;
  /** SHA-256 of the token; the token itself is not stored. */
  token_hash: Buffer;
  /** How the token begins, to know it by. */
  prefix: string;
  created_at: Time;
  last_access: OptionalTime;
}

declare module "../../database/schema.ts" {
  interface Schema {
    provisioning_tokens: ProvisioningTokenTable;
  }
}
