import type { OptionalTime, Time, WithDefault } from "../../platform/db/columns.ts";

/** A sign-in. Its token stays valid until it expires or this row says that the session ended. */
export interface SessionTable {
  uuid: string;
  user_uuid: string;
  created_at: Time;
  ended_at: OptionalTime;
  /** The number of the newest token that was used; those before it are rotated out. */
  generation: WithDefault<number>;
  /** When that token was first used. */
  rotated_at: OptionalTime;
  /** What the browser or program said of itself at sign-in. */
  user_agent: WithDefault<string>;
  /** Where the last use came from, and when it was; noted at most once a minute. */
  address: string | null;
  last_used_at: OptionalTime;
  /** In which way it began, as in `signInWays`; null if it began before that was noted. */
  way: string | null;
  /** The organization at whose own provider it began: that counts as both factors there. */
  vouched_by: string | null;
}

/** How a session began. */
export type Begun = Pick<SessionTable, "way" | "vouched_by">;

declare module "../../database/schema.ts" {
  interface Schema {
    sessions: SessionTable;
  }
}
