import type { Time, WithDefault } from "../../platform/db/columns.ts";

/** Somebody who was invited to an organization. The row ends when they join, or when the invitation is cancelled. */
export interface InvitationTable {
  uuid: string;
  organization_uuid: string;
  /** Lower case. */
  email: string;
  /** Null if their account is gone. */
  inviter_uuid: string | null;
  message: string;
  /** SHA-256 of the key in the last mail; the key itself is not stored. */
  key_hash: Buffer;
  /** The last mail; null where it is not known. */
  mail_uuid: WithDefault<string | null>;
  created_at: Time;
  sent_at: Time;
  expires_at: Time;
}

declare module "../../database/schema.ts" {
  interface Schema {
    invitations: InvitationTable;
  }
}
