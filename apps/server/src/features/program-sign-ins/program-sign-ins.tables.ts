import type { Scope } from "@terrarium/contract";
import type { OptionalTime, Time, WithDefault } from "../../platform/db/columns.ts";

/** A program that asks for an API token. */
export interface ProgramSignInTable {
  /** SHA-256 of the program's secret; the secret itself is not stored. */
  device_code_hash: Buffer;
  /** Without a hyphen. It is worth nothing without the secret, and for ten minutes only. */
  user_code: string;
  host: string;
  scope: Scope;
  address: string;
  created_at: Time;
  expires_at: Time;
  state: WithDefault<"pending" | "approved" | "refused">;
  /** Of whoever approved it. */
  session_uuid: WithDefault<string | null>;
  polled_at: OptionalTime;
  /** Before which the program may not ask again. */
  interval_seconds: number;
}

declare module "../../database/schema.ts" {
  interface Schema {
    program_sign_ins: ProgramSignInTable;
  }
}
