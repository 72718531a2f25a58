import type { OptionalTime, Time } from "../../platform/db/columns.ts";

/** An authenticator app of somebody. */
export interface TotpFactorTable {
  user_uuid: string;
  /** Sealed for its owner: see `Sealer`. */
  secret: Buffer;
  /** The time step of the last code that was used; it and those before it no longer work. */
  last_step: number;
  created_at: Time;
  /** Since it was set up. */
  last_used_at: OptionalTime;
}

/** A recovery code that was not used yet. */
export interface RecoveryCodeTable {
  user_uuid: string;
  code_hash: Buffer;
  created_at: Time;
}

declare module "../../database/schema.ts" {
  interface Schema {
    totp_factors: TotpFactorTable;
    recovery_codes: RecoveryCodeTable;
  }
}
