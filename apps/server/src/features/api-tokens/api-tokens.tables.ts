import type { Scope } from "@terrarium/contract";
import type { OptionalTime, Time, WithDefault } from "../../platform/db/columns.ts";

export interface ApiTokenTable {
  uuid: string;
  user_uuid: string;
  description: string;
  /** SHA-256 of the token; the token itself is not stored. */
  token_hash: Buffer;
  created_at: Time;
  last_access: OptionalTime;
  scope: Scope;
  /** The beginning of the token, by which its owner recognizes it. Empty for tokens from before this was stored. */
  prefix: WithDefault<string>;
  /** Null for good. */
  expires_at: OptionalTime;
}

declare module "../../database/schema.ts" {
  interface Schema {
    api_tokens: ApiTokenTable;
  }
}
