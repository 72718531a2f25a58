import type { Time, WithDefault } from "../../platform/db/columns.ts";

/** That a device is shared while it runs. A device has one at most, whose owner is the device's. */
export interface LiveSessionTable {
  uuid: string;
  instance_uuid: string;
  created_at: Time;
}

/** Whom the owner of a device has invited. */
export interface LiveSessionParticipantTable {
  uuid: string;
  live_session_uuid: string;
  /** The session's device. */
  instance_uuid: string;
  user_uuid: string;
  /** Whether they may touch the device, or only watch. */
  can_control: WithDefault<boolean>;
  created_at: Time;
}

declare module "../../database/schema.ts" {
  interface Schema {
    live_sessions: LiveSessionTable;
    live_session_participants: LiveSessionParticipantTable;
  }
}
