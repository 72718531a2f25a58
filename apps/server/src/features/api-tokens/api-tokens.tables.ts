import type { OptionalTime, Time, WithDefault } from "../../platform/db/columns.ts";

export interface ApiTokenTable {
  uuid: string;
  user_uuid: string;
  description: string;
  /** SHA-256 of the token; the token itself is not kept. */
  token_hash: Buffer;
  created_at: Time;
  last_access: OptionalTime;
  /** Whether API tokens can be created and revoked with it. */
  can_manage_tokens: WithDefault<boolean>;
}

export interface ApiTokenTables {
  api_tokens: ApiTokenTable;
}
