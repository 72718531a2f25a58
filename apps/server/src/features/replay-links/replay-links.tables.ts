import type { Time } from "../../platform/db/columns.ts";

/** The link to a replay. */
export interface ReplayLinkTable {
  capture_uuid: string;
  /** SHA-256 of the key; the key itself is not stored. */
  key_hash: Buffer;
  expires_at: Time;
}

declare module "../../database/schema.ts" {
  interface Schema {
    replay_links: ReplayLinkTable;
  }
}
