import type { OptionalTime, Time } from "../../platform/db/columns.ts";

/** A sign-in. Its token stays valid until it expires or this row says that the session ended. */
export interface SessionTable {
  uuid: string;
  user_uuid: string;
  created_at: Time;
  ended_at: OptionalTime;
}

export interface SessionTables {
  sessions: SessionTable;
}
