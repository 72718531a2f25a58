import type { Time } from "../../platform/db/columns.ts";

export interface PasswordLinkTable {
  /** SHA-256 of the key; the key itself is not stored. */
  key_hash: Buffer;
  user_uuid: string;
  /** SHA-256 of the hash of the password that the link replaces: when the user has another, the link no longer works. */
  password_mark: Buffer;
  expires_at: Time;
}

declare module "../../database/schema.ts" {
  interface Schema {
    password_links: PasswordLinkTable;
  }
}
