import type { Time } from "../../platform/db/columns.ts";

/** A link with which pages of others show a device. */
export interface EmbedLinkTable {
  uuid: string;
  /** SHA-256 of the key; the key itself is not stored. */
  key_hash: Buffer;
  instance_uuid: string;
  /** Whoever made it, whose the device is. */
  user_uuid: string;
  /** The session or API token with which it was made: it ends with that. */
  credential_uuid: string;
  can_control: boolean;
  created_at: Time;
  expires_at: Time;
}

declare module "../../database/schema.ts" {
  interface Schema {
    embed_links: EmbedLinkTable;
  }
}
