import type { OptionalTime, Time } from "../../platform/db/columns.ts";

/** Somebody's wish for an account, until its address is confirmed. An address may have several: anybody can type it. */
export interface SignUpTable {
  uuid: string;
  /** Lower case. */
  email: string;
  password_hash: string;
  /** Null for a guest. */
  organization_name: string | null;
  zone: string;
  tnc_accepted_at: OptionalTime;
  created_at: Time;
}

export interface SignUpLinkTable {
  /** SHA-256 of the key; the key itself is not stored. */
  key_hash: Buffer;
  email: string;
  /** Null once the address is confirmed, with this link or another one. */
  sign_up_uuid: string | null;
  expires_at: Time;
}

declare module "../../database/schema.ts" {
  interface Schema {
    sign_ups: SignUpTable;
    sign_up_links: SignUpLinkTable;
  }
}
