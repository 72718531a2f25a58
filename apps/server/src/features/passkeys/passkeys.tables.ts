import type { OptionalTime, Time } from "../../platform/db/columns.ts";

export interface PasskeyTable {
  uuid: string;
  user_uuid: string;
  /** What the authenticator calls it. */
  credential_id: Buffer;
  /** In COSE's format (RFC 9052). */
  public_key: Buffer;
  /** How often it has signed, by its own count; 0 for those that do not count, as synced ones. */
  counter: number;
  /** How a browser reaches it: `internal`, `hybrid`, `usb`... */
  transports: string[];
  /** The host name that it was made for. */
  rp_id: string;
  is_synced: boolean;
  name: string;
  created_at: Time;
  last_used_at: OptionalTime;
}

/** A challenge that was answered. */
export interface SpentChallengeTable {
  challenge: string;
  /** From then on it would not be accepted anyway. */
  expires_at: Time;
}

declare module "../../database/schema.ts" {
  interface Schema {
    passkeys: PasskeyTable;
    spent_challenges: SpentChallengeTable;
  }
}
